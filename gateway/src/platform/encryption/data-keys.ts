/** Statements on the table `data_keys`. Each row is a data key, wrapped by a master key or, without one, in plaintext. */
import { inTransaction, type Database, type Queryable } from '../database/database.ts'
import { maxKeyId, type AssociatedData } from './ciphertext.ts'

/** Purpose of the key that encrypts secrets. */
export const secretsPurpose = 'secrets'

/** Prefix of the purpose of a day's message key; the day follows. */
export const messagesPurpose = 'messages:'

/**
 * Stored instead of the ID of the master key if the data key is in plaintext, because there was no master
 * key.
 */
export const notWrapped = 'none'

export interface WrappedKey {
  readonly id: number
  readonly purpose: string
  /** ID of the master key, or `notWrapped`. */
  readonly masterKey: string
  readonly wrapped: Buffer
  readonly createdAt: Date
}

const columns = 'id, purpose, master_key as "masterKey", wrapped, created_at as "createdAt"'
const lockKey = 0x6b657973

export function keyAssociatedData({ id, purpose }: Pick<WrappedKey, 'id' | 'purpose'>): AssociatedData {
  return ['data_keys', 'wrapped', id, purpose]
}

/** Lists all keys, oldest first. */
export async function listKeys(database: Queryable): Promise<WrappedKey[]> {
  const result = await database.query<WrappedKey>(`select ${columns} from data_keys order by id`)
  return result.rows
}

export async function readKey(database: Queryable, id: number): Promise<WrappedKey | undefined> {
  const result = await database.query<WrappedKey>(`select ${columns} from data_keys where id = $1`, [id])
  return result.rows[0]
}

/** Returns the newest key of a purpose and locks it against deletion until the transaction ends. */
export async function lockNewestKey(
  transaction: Queryable,
  purpose = secretsPurpose,
): Promise<WrappedKey | undefined> {
  const result = await transaction.query<WrappedKey>(
    `select ${columns} from data_keys
      where id = (select max(id) from data_keys where purpose = $1) for key share`,
    [purpose],
  )
  return result.rows[0]
}

export interface NewDataKey {
  readonly purpose: string
  /** ID of the master key, or `notWrapped`. */
  readonly masterKey: string
  readonly wrap: (key: Pick<WrappedKey, 'id' | 'purpose'>) => Promise<Buffer>
}

/**
 * Adds a key for each purpose that has none, or whose newest one is outdated. One of several concurrent processes adds it.
 * Returns the number of added keys.
 */
export function addKeys(
  database: Database,
  keys: readonly NewDataKey[],
  isOutdated: (newest: WrappedKey) => boolean = () => false,
): Promise<number> {
  return inTransaction(database, async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1)', [lockKey])
    const stored = await listKeys(transaction)
    let id = stored.at(-1)?.id ?? 0
    let added = 0
    for (const { purpose, masterKey, wrap } of keys) {
      const newest = stored.findLast((key) => key.purpose === purpose)
      if (newest !== undefined && !isOutdated(newest)) continue
      if (++id > maxKeyId) throw new Error(`cannot add a data key: at most ${maxKeyId} allowed`)
      await transaction.query(
        'insert into data_keys (id, purpose, master_key, wrapped) values ($1, $2, $3, $4)',
        [id, purpose, masterKey, await wrap({ id, purpose })],
      )
      added++
    }
    return added
  })
}

/** Stores a key under another master key, unless another process already has. */
export async function replaceWrapping(
  database: Queryable,
  { id, masterKey: from }: WrappedKey,
  masterKey: string,
  wrapped: Buffer,
): Promise<void> {
  await database.query(
    'update data_keys set master_key = $3, wrapped = $4 where id = $1 and master_key = $2',
    [id, from, masterKey, wrapped],
  )
}

/**
 * Deletes all keys of secrets except the newest, after every transaction that writes with one of them has
 * ended. Does nothing and returns false if `isUsed` then finds a value that needs one.
 */
export function removeOldKeys(
  database: Database,
  isUsed: (transaction: Queryable, newestId: number) => Promise<boolean>,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const newestKey = await transaction.query<{ newest: number | null }>(
      'select max(id) as newest from data_keys where purpose = $1',
      [secretsPurpose],
    )
    const { newest } = newestKey.rows[0]!
    if (newest === null) return true
    const older = 'from data_keys where purpose = $1 and id < $2'
    await transaction.query(`select ${older} for update`, [secretsPurpose, newest])
    if (await isUsed(transaction, newest)) return false
    await transaction.query(`delete ${older}`, [secretsPurpose, newest])
    return true
  })
}

export interface DayKey {
  /** UTC day, such as `20261114`. */
  readonly day: string
  readonly id: number
}

export async function listDayKeys(database: Queryable): Promise<DayKey[]> {
  const result = await database.query<DayKey>(
    `select substr(purpose, $1) as day, id from data_keys where starts_with(purpose, $2) order by id`,
    [messagesPurpose.length + 1, messagesPurpose],
  )
  return result.rows
}

/** Makes every ciphertext of these days unreadable, wherever it is stored. */
export async function destroyDayKeys(database: Queryable, days: readonly string[]): Promise<void> {
  await database.query('delete from data_keys where purpose = any($1)', [
    days.map((day) => messagesPurpose + day),
  ])
}
