/**
 * Destroys the data keys of days past retention whose messages are dropped: copies of their ciphertexts, in parked jobs and
 * in backups, cannot be read from then on. Run by workers after the partitions are maintained.
 */
import type { Queryable } from '../../platform/database.ts'
import { destroyDayKeys, listDayKeys } from '../../platform/encryption/data-keys.ts'
import { dayOf } from '../partitions.ts'

/** Returns the days. A day that is kept because a message of it is open keeps its key. */
export async function destroyPastKeys(
  database: Queryable,
  retentionDays: number,
  now: Date,
): Promise<string[]> {
  const oldest = dayOf(now, -retentionDays)
  const past = (await listDayKeys(database)).map(({ day }) => day).filter((day) => day < oldest)
  if (past.length === 0) return []
  const found = await database.query<{ day: string }>(
    `select d.day from unnest($1::text[]) as d (day) where to_regclass('messages_' || d.day) is null`,
    [past],
  )
  const days = found.rows.map(({ day }) => day)
  await destroyDayKeys(database, days)
  return days
}
