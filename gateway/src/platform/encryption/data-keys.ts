/** Statements on the table data_keys: each row is a data key, wrapped by a master key. The only writer of the table. */
import { inTransaction, type Database, type Queryable } from '../database.ts'
import { maxKeyId, type Place } from './ciphertext.ts'

/** What a data key encrypts. A key for other data, such as the messages of a day, gets a purpose of its own. */
export const secretsPurpose = 'secrets'

export interface WrappedKey {
  readonly id: number
  readonly purpose: string
  /** Id of the master key. */
  readonly masterKey: string
  readonly wrapped: Buffer
  readonly createdAt: Date
}

const columns = 'id, purpose, master_key as "masterKey", wrapped, created_at as "createdAt"'
const lockKey = 0x6b657973

export function placeOfKey({ id, purpose }: Pick<WrappedKey, 'id' | 'purpose'>): Place {
  return ['data_keys', 'wrapped', id, purpose]
}

/** Oldest first. */
export async function listKeys(database: Queryable): Promise<WrappedKey[]> {
  const result = await database.query<WrappedKey>(`select ${columns} from data_keys order by id`)
  return result.rows
}

export async function readKey(database: Queryable, id: number): Promise<WrappedKey | undefined> {
  const result = await database.query<WrappedKey>(`select ${columns} from data_keys where id = $1`, [id])
  return result.rows[0]
}

/**
 * The key for new values. It cannot be deleted before the transaction ends, so what is written with it can always be read.
 */
export async function lockNewestKey(transaction: Queryable): Promise<WrappedKey | undefined> {
  const result = await transaction.query<WrappedKey>(
    `select ${columns} from data_keys
      where id = (select max(id) from data_keys where purpose = $1) for key share`,
    [secretsPurpose],
  )
  return result.rows[0]
}

/**
 * Adds a key unless the newest one is of this master key already: of several processes that ask at once, one adds it.
 * True when it was added.
 */
export function addKey(
  database: Database,
  masterKey: string,
  wrap: (key: Pick<WrappedKey, 'id' | 'purpose'>) => Promise<Buffer>,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1)', [lockKey])
    const newest = await lockNewestKey(transaction)
    if (newest?.masterKey === masterKey) return false
    const next = await transaction.query<{ id: number }>(
      'select coalesce(max(id), 0) + 1 as id from data_keys',
    )
    const { id } = next.rows[0]!
    if (id > maxKeyId) throw new Error(`there can be no more than ${maxKeyId} data keys`)
    const wrapped = await wrap({ id, purpose: secretsPurpose })
    await transaction.query(
      'insert into data_keys (id, purpose, master_key, wrapped) values ($1, $2, $3, $4)',
      [id, secretsPurpose, masterKey, wrapped],
    )
    return true
  })
}

/**
 * Deletes keys for secrets older than the newest one, after every transaction that writes with one of them has ended. Does
 * nothing and returns false when `isUsed` then finds a value that needs one.
 */
export function removeOldKeys(
  database: Database,
  isUsed: (transaction: Queryable, newestId: number) => Promise<boolean>,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const found = await transaction.query<{ newest: number | null }>(
      'select max(id) as newest from data_keys where purpose = $1',
      [secretsPurpose],
    )
    const { newest } = found.rows[0]!
    if (newest === null) return true
    await transaction.query('select from data_keys where purpose = $1 and id < $2 for update', [
      secretsPurpose,
      newest,
    ])
    if (await isUsed(transaction, newest)) return false
    await transaction.query('delete from data_keys where purpose = $1 and id < $2', [secretsPurpose, newest])
    return true
  })
}
