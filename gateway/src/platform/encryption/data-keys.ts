/** Statements on the table data_keys: each row is a data key, wrapped by a master key. The only writer of the table. */
import { inTransaction, type Database, type Queryable } from '../database.ts'
import { maxKeyId, type Place } from './ciphertext.ts'

/** What a data key encrypts. A key for other data, such as the messages of a day, gets a purpose of its own. */
export const secretsPurpose = 'secrets'

/** Of the keys of messages, before the day. */
export const messagesPurpose = 'messages:'

/** Instead of the id of a master key: the key is stored as it is, because there was no master key when it was added. */
export const notWrapped = 'none'

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

export interface NewKey {
  readonly purpose: string
  /** Id of the master key. */
  readonly masterKey: string
  readonly wrap: (key: Pick<WrappedKey, 'id' | 'purpose'>) => Promise<Buffer>
  /** Whether the newest key of the purpose serves; then none is added. */
  readonly serves: (newest: WrappedKey) => boolean
}

/** Of several processes that ask at once, one adds the key. True when it was added. */
export function addKey(database: Database, { purpose, masterKey, wrap, serves }: NewKey): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1)', [lockKey])
    const newest = await lockNewestKey(transaction, purpose)
    if (newest !== undefined && serves(newest)) return false
    const next = await transaction.query<{ id: number }>(
      'select coalesce(max(id), 0) + 1 as id from data_keys',
    )
    const { id } = next.rows[0]!
    if (id > maxKeyId) throw new Error(`there can be no more than ${maxKeyId} data keys`)
    const wrapped = await wrap({ id, purpose })
    await transaction.query(
      'insert into data_keys (id, purpose, master_key, wrapped) values ($1, $2, $3, $4)',
      [id, purpose, masterKey, wrapped],
    )
    return true
  })
}

/** Adds a key for each purpose that has none, in one transaction. */
export function addMissingKeys(database: Database, keys: readonly Omit<NewKey, 'serves'>[]): Promise<void> {
  return inTransaction(database, async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1)', [lockKey])
    const found = await transaction.query<{ last: number; purposes: string[] }>(
      `select coalesce(max(id), 0) as last, coalesce(array_agg(purpose), '{}') as purposes from data_keys`,
    )
    const { last, purposes } = found.rows[0]!
    const missing = keys.filter(({ purpose }) => !purposes.includes(purpose))
    if (last + missing.length > maxKeyId) throw new Error(`there can be no more than ${maxKeyId} data keys`)
    for (const [n, { purpose, masterKey, wrap }] of missing.entries()) {
      const id = last + 1 + n
      await transaction.query(
        'insert into data_keys (id, purpose, master_key, wrapped) values ($1, $2, $3, $4)',
        [id, purpose, masterKey, await wrap({ id, purpose })],
      )
    }
  })
}

/** Stores the key under another master key, unless another process has done so. */
export async function replaceWrapping(database: Queryable, from: WrappedKey, to: WrappedKey): Promise<void> {
  await database.query(
    'update data_keys set master_key = $3, wrapped = $4 where id = $1 and master_key = $2',
    [from.id, from.masterKey, to.masterKey, to.wrapped],
  )
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
