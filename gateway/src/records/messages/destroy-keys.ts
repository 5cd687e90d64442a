/**
 * Destroys the data keys of days past retention whose messages are dropped: copies of their ciphertexts, in
 * parked jobs and in backups, cannot be decrypted from then on. Workers run it after the partitions are
 * maintained.
 */
import type { Queryable } from '../../platform/database/database.ts'
import { destroyDayKeys, listDayKeys } from '../../platform/encryption/data-keys.ts'
import { toKeyDay } from '../partitions.ts'

/**
 * Returns the days whose keys were destroyed. A day with an open message keeps its key, as does the day of a batch
 * that has not ended.
 */
export async function destroyPastKeys(
  database: Queryable,
  retentionDays: number,
  now: Date,
): Promise<string[]> {
  const oldest = toKeyDay(now, -retentionDays)
  const past = (await listDayKeys(database)).map(({ day }) => day).filter((day) => day < oldest)
  if (past.length === 0) return []
  const droppedDays = await database.query<{ day: string }>(
    `select d.day from unnest($1::text[]) as d (day) where to_regclass('messages_' || d.day) is null
        and not exists (select from batches where left(batch_key, 8) = d.day and state not in ('cancelled', 'ended'))`,
    [past],
  )
  const days = droppedDays.rows.map(({ day }) => day)
  await destroyDayKeys(database, days)
  return days
}
