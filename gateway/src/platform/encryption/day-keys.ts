/**
 * The data keys of the messages of a UTC day: one row of `data_keys` each, with the purpose `messages:<day>`. Deleting the
 * row makes every ciphertext of the day unreadable, wherever it is.
 */
import type { Database, Queryable } from '../database.ts'
import { addMissingKeys, messagesPurpose as prefix } from './data-keys.ts'
import type { Encryption } from './encryption.ts'

export interface DayKey {
  /** `20261114` */
  readonly day: string
  readonly id: number
}

export async function listDayKeys(database: Queryable): Promise<DayKey[]> {
  const result = await database.query<DayKey>(
    `select substr(purpose, ${prefix.length + 1}) as day, id from data_keys where purpose like '${prefix}%' order by id`,
  )
  return result.rows
}

/** Of several processes that add the key of a day at once, one adds it. */
export async function ensureDayKeys(
  database: Database,
  encryption: Pick<Encryption, 'newKey'>,
  days: readonly string[],
): Promise<void> {
  const existing = new Set((await listDayKeys(database)).map(({ day }) => day))
  const missing = days.filter((day) => !existing.has(day))
  if (missing.length > 0)
    await addMissingKeys(
      database,
      missing.map((day) => encryption.newKey(prefix + day)),
    )
}

/** What was encrypted with them cannot be read any more, by nobody. */
export async function destroyDayKeys(database: Queryable, days: readonly string[]): Promise<void> {
  await database.query('delete from data_keys where purpose = any($1)', [days.map((day) => prefix + day)])
}
