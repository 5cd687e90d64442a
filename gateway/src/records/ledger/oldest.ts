/** The oldest open message and the most overdue step: two index probes, whatever the number of rows. Read by the metrics and the admin API. */
import { timeOfKey } from '../../contract/msg-key.ts'
import type { Queryable } from '../../platform/database.ts'

export interface OldestOpen {
  readonly openSeconds: number
  readonly overdueSeconds: number
}

export async function readOldestOpen(database: Queryable, now: Date): Promise<OldestOpen> {
  const result = await database.query<{ oldestKey: string | null; overdueSeconds: number }>(
    `select (select msg_key from in_flight order by msg_key limit 1) as "oldestKey",
            greatest(0, extract(epoch from $1::timestamptz - (select due_at from in_flight order by due_at limit 1)))::float8
              as "overdueSeconds"`,
    [now],
  )
  const { oldestKey, overdueSeconds } = result.rows[0] ?? { oldestKey: null, overdueSeconds: 0 }
  return { openSeconds: ageOfKey(oldestKey, now), overdueSeconds }
}

/** 0 without a key, and for a message that is scheduled for later. */
export function ageOfKey(key: string | null, now: Date): number {
  return key === null ? 0 : Math.max(0, (now.getTime() - timeOfKey(key)) / 1000)
}
