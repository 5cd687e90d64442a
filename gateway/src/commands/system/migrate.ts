/** `postern migrate`. */
import { clock } from '../../platform/clock.ts'
import { migrate } from '../../platform/migrate.ts'
import { maintainPartitions } from '../../records/partitions.ts'
import { withDatabase } from '../connect.ts'
import { FailedError } from '../errors.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'

export function migrateDatabase(invocation: Invocation<'retentionDays'>): Promise<Result> {
  return withDatabase(invocation, async (database, config, audit) => {
    const applied = (await migrate(database).catch(rethrow)).map(({ name }) => name)
    // Afterwards: the first migrations have no audit log to write to.
    await audit.change(() =>
      Promise.resolve([
        null,
        applied.length === 0 ? null : { target: 'database', details: { migrations: applied } },
      ]),
    )
    await maintainPartitions(database, config.retentionDays, clock.date())
    return {
      json: { applied },
      lines: [
        ...applied.map((name) => `applied ${name}`),
        applied.length === 0 ? 'nothing to apply' : 'done',
      ],
    }
  })
}

/** A migration that fails or was changed names itself and needs no stack trace. */
function rethrow(error: unknown): never {
  if (!(error instanceof Error) || !error.message.startsWith('migration ')) throw error
  const { message, cause } = error
  throw new FailedError(cause instanceof Error ? `${message}: ${cause.message}` : message)
}
