/** How many messages of an account are open, and how many of them wait for their time. Read by `postern account move`. */
import type { Queryable } from '../../platform/database.ts'

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
