/** `postern migrate`. */
import { clock } from '../../platform/clock.ts'
import { migrate } from '../../platform/migrate.ts'
import { maintainPartitions } from '../../records/partitions.ts'
import { withDatabase } from '../connect.ts'
import { FailedError } from '../errors.ts'
import type { Result } from '../result.ts'

export function migrateDatabase(): Promise<Result> {
  return withDatabase(async (database, config) => {
    const applied = (await migrate(database).catch(rethrow)).map(({ name }) => name)
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
