/** `postern migrate`: applies migrations, creates partitions and, with --roles, grants the rights of database roles. */
import { clock } from '../../platform/time/clock.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { maintainPartitions } from '../../records/partitions.ts'
import { withDatabase } from '../connect.ts'
import { FailedError, UsageError } from '../errors.ts'
import { grantRoles, type RoleLogins } from '../grant-roles.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'

export interface MigrateOptions {
  /** Prefix of the role names. */
  readonly roles?: string
  readonly logins?: RoleLogins
}

export function migrateDatabase(
  invocation: Invocation<'retentionDays'>,
  { roles: prefix, logins = {} }: MigrateOptions,
): Promise<Result> {
  if (prefix === undefined && Object.keys(logins).length > 0)
    throw new UsageError('--logins requires --roles, which creates the roles')
  return withDatabase(invocation, async (database, config, audit) => {
    const applied = (await migrate(database).catch(rethrow)).map(({ name }) => name)
    await maintainPartitions(database, config.retentionDays, clock.date())
    // Recorded last: the first migrations have no audit log, and new partitions need grants.
    const roles = await audit.change(async (transaction) => {
      const granted = prefix === undefined ? [] : await grantRoles(transaction, prefix, logins)
      const isChanged = applied.length > 0 || granted.length > 0
      return [
        granted,
        isChanged ? { target: 'database', details: { migrations: applied, roles: granted } } : null,
      ]
    })
    return {
      json: { applied, roles },
      lines: [
        ...applied.map((name) => `applied ${name}`),
        ...(roles.length === 0 ? [] : [`granted to ${roles.join(', ')}`]),
        applied.length === 0 ? 'nothing to apply' : 'done',
      ],
    }
  })
}

/** A migration that fails or was changed names itself, so it needs no stack trace. */
function rethrow(error: unknown): never {
  if (!(error instanceof Error) || !error.message.startsWith('migration ')) throw error
  const { message, cause } = error
  throw new FailedError(cause instanceof Error ? `${message}: ${cause.message}` : message)
}
