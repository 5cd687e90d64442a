/**
 * How many messages of an account are open, how many of them wait for their time, and how many its cell has accepted and
 * not recorded. Read by `postern account move`.
 */
import type { Queryable } from '../../platform/database.ts'
import { countUnrecorded } from '../ledger/gate-table.ts'
import { countParkedOf } from '../parked/queries.ts'

export interface OpenMessages {
  readonly open: number
  readonly scheduled: number
  /** The time of the last scheduled message. */
  readonly scheduledUntil: Date | null
}

export async function countOpen(database: Queryable, accountId: number): Promise<OpenMessages> {
  const result = await database.query<OpenMessages>(
    `select (select count(*) from in_flight where account_id = $1) as open,
            count(*) as scheduled, max(release_at) as "scheduledUntil"
       from waiting where account_id = $1 and reason = 'scheduled'`,
    [accountId],
  )
  return result.rows[0]!
}

/**
 * Messages that will be recorded later: parked by intake until an operator retries them, or held by a worker that took
 * them from the first queue and does not reach PostgreSQL. Costs more than `countOpen`.
 */
export async function countUnrecordedOf(database: Queryable, accountId: number): Promise<number> {
  return (await countParkedOf(database, accountId)) + (await countUnrecorded(database, accountId))
}
