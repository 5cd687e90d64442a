/**
 * Selects the backend of a command: the admin API or the database. Options take precedence over the
 * environment, and the environment over the current profile. An environment with POSTERN_DATABASE_URL, such
 * as that of a gateway, therefore uses its database even if a user has signed in there.
 */
import { ConfigError } from '../../platform/settings/config-error.ts'
import { isGiven, readVariable } from '../../platform/settings/environment.ts'
import { resolveReference } from '../../platform/settings/secret-reference.ts'
import { FailedError, UsageError } from '../errors.ts'
import { readAddress } from './address.ts'
import { readProfiles, requireProfile, type Profiles } from './profiles.ts'
import type { Target } from './target.ts'
import type { BackendOptions } from './backend-options.ts'

/** Returns null for the database. */
export function selectBackend(options: BackendOptions, command: string): Target | null {
  const target = findTarget(options)
  if (target === null && options.database === true && !isGiven('databaseUrl'))
    throw new ConfigError('--database requires POSTERN_DATABASE_URL.')
  if (target === null && !isGiven('databaseUrl'))
    throw new ConfigError(
      `\`postern ${command}\` requires an admin API or a database: sign in with \`postern login --url https://…\`, or set POSTERN_DATABASE_URL.`,
    )
  return target
}

/** Refuses the admin API for a command that only works on the database. */
export function requireDatabaseBackend(options: BackendOptions, command: string, why: string): void {
  if (findTarget(options) === null) return
  throw new FailedError(
    `\`postern ${command}\` does not work over the admin API: ${why}; run it where POSTERN_DATABASE_URL is set, without --profile`,
  )
}

function findTarget(options: BackendOptions): Target | null {
  if (options.database === true && options.profile !== undefined)
    throw new UsageError('--profile and --database are mutually exclusive')
  if (options.database === true) return null
  if (options.profile !== undefined) return fromProfile(readProfiles(), options.profile)
  if (isGiven('databaseUrl')) return null
  if (isGiven('adminUrl')) return fromEnvironment()
  const profiles = readProfiles()
  return profiles.current === null ? null : fromProfile(profiles, profiles.current)
}

function fromEnvironment(): Target {
  const operatorKey = readVariable('POSTERN_OPERATOR_KEY')
  if (operatorKey === undefined)
    throw new FailedError(
      'POSTERN_ADMIN_URL requires POSTERN_OPERATOR_KEY: set it to your key or to file:/path. An admin creates a key with `postern operator key add`',
    )
  return {
    url: readAddress(readVariable('POSTERN_ADMIN_URL')!, 'POSTERN_ADMIN_URL'),
    key: resolveReference(operatorKey, 'POSTERN_OPERATOR_KEY refers to it'),
    profile: null,
  }
}

function fromProfile(profiles: Profiles, name: string): Target {
  const { url, key } = requireProfile(profiles, name)
  return { url: readAddress(url, `the address of profile '${name}'`), key, profile: name }
}
