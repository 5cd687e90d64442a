/**
 * Which way a command takes: over the admin API, or to the database. What the command line says comes first, then the environment, then the
 * current profile; so an environment with POSTERN_DATABASE_URL, such as that of a gateway, works on its database whoever has signed in there.
 */
import { ConfigError } from '../../platform/config-error.ts'
import { isGiven, readVariable } from '../../platform/environment.ts'
import { resolveReference } from '../../platform/secret-reference.ts'
import { FailedError, UsageError } from '../errors.ts'
import { readAddress } from './address.ts'
import { readProfiles, requireProfile, type Profiles } from './profiles.ts'
import type { Target } from './target.ts'
import type { WayOptions } from './way-options.ts'

/** Returns null for the database. */
export function chooseTarget(options: WayOptions, command: string): Target | null {
  const target = findTarget(options)
  if (target === null && options.database === true && !isGiven('databaseUrl'))
    throw new ConfigError('--database is given, and POSTERN_DATABASE_URL is missing.')
  if (target === null && !isGiven('databaseUrl'))
    throw new ConfigError(
      `\`postern ${command}\` needs an admin API or a database: nobody is signed in (\`postern login --url https://…\` signs in), and POSTERN_DATABASE_URL is missing.`,
    )
  return target
}

/** For a command that works on the database alone. */
export function refuseTarget(options: WayOptions, command: string, why: string): void {
  if (findTarget(options) === null) return
  throw new FailedError(
    `\`postern ${command}\` does not work over the admin API: ${why}; run it where POSTERN_DATABASE_URL is set, without --profile`,
  )
}

function findTarget(options: WayOptions): Target | null {
  if (options.database === true && options.profile !== undefined)
    throw new UsageError('give either --profile or --database')
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
      'POSTERN_ADMIN_URL is set, and POSTERN_OPERATOR_KEY is not: set it to your key or to file:/path; an admin makes one with `postern operator key add`',
    )
  return {
    url: readAddress(readVariable('POSTERN_ADMIN_URL')!, 'POSTERN_ADMIN_URL'),
    key: resolveReference(operatorKey, 'POSTERN_OPERATOR_KEY refers to it'),
    profile: null,
  }
}

function fromProfile(profiles: Profiles, name: string): Target {
  const { url, key } = requireProfile(profiles, name)
  return { url: readAddress(url, `the address of the profile '${name}'`), key, profile: name }
}
