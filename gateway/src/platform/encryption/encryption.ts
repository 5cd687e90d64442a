/**
 * Envelope encryption of secrets in the database: data keys encrypt values, master keys wrap data keys.
 * Unwrapped data keys stay in the memory of the process.
 */
import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import { ConfigError, type Config } from '../settings/config.ts'
import { inTransaction, type Database, type Queryable } from '../database/database.ts'
import { singleFlight } from '../single-flight.ts'
import {
  DamagedCiphertext,
  decrypt,
  encrypt,
  findKeyId,
  fromText,
  isEncrypted,
  keyBytes,
  toText,
  type AssociatedData,
} from './ciphertext.ts'
import { createBlindIndex, recipientIndexPurpose, type BlindIndex } from './blind-index.ts'
import {
  addKeys,
  keyAssociatedData,
  listKeys,
  lockNewestKey,
  messagesPurpose,
  notWrapped,
  readKey,
  replaceWrapping,
  secretsPurpose,
  type NewDataKey,
  type WrappedKey,
} from './data-keys.ts'
import { plaintextCipher, masterKeyMissing, type FieldCipher } from './field-cipher.ts'
import { readMasterKeys, type MasterKey, type MasterKeys } from './master-key.ts'

export class Encryption implements FieldCipher {
  readonly #masterKeys: MasterKeys
  readonly #dataKeys = new Map<number, KeyObject>()
  readonly #reading = new Map<string, Promise<KeyObject>>()
  #blindIndex: BlindIndex | undefined

  constructor(masterKeys: MasterKeys) {
    this.#masterKeys = masterKeys
  }

  /** The id of the current master key. If it is undefined, new secrets are stored in plaintext. */
  get masterKeyId(): string | undefined {
    return this.#masterKeys.current?.id
  }

  /**
   * Checks that every data key can be read and adds the first one for secrets. Throws a ConfigError that
   * names the next step.
   */
  async prepare(database: Database): Promise<void> {
    const keys = await listKeys(database)
    for (const key of keys) await this.#unwrap(key)
    if (this.masterKeyId !== undefined && !keys.some(({ purpose }) => purpose === secretsPurpose))
      await this.addDataKey(database)
  }

  /**
   * Adds a data key for secrets, unless the newest one is under the current master key. Returns whether it
   * was added.
   */
  async addDataKey(database: Database): Promise<boolean> {
    const current = this.#currentMasterKey()
    const isOutdated = ({ masterKey }: WrappedKey): boolean => masterKey !== current.id
    return (await addKeys(database, [newKey(secretsPurpose, current)], isOutdated)) > 0
  }

  /** Adds the message keys of UTC days that have none. */
  async addDayKeys(database: Database, days: readonly string[]): Promise<void> {
    const current = this.#currentMasterKey()
    await addKeys(
      database,
      days.map((day) => newKey(messagesPurpose + day, current)),
    )
  }

  /**
   * Opens the blind index of recipients. Its key is never replaced, because stored values could not be found
   * with another one.
   */
  async blindIndex(database: Database): Promise<BlindIndex> {
    this.#blindIndex ??= createBlindIndex(await this.installationKey(database, recipientIndexPurpose))
    return this.#blindIndex
  }

  /** Returns undefined if nothing has been indexed yet: read-only commands cannot add the key. */
  async findBlindIndex(database: Database): Promise<BlindIndex | undefined> {
    const key = await findNewestKey(database, recipientIndexPurpose)
    return key === undefined ? undefined : createBlindIndex(await this.#unwrap(key))
  }

  /**
   * Returns the only key of a purpose, and adds it on first use. Without a master key it is stored in plaintext, until
   * `wrapFirstKeys` wraps it.
   */
  async installationKey(database: Database, purpose: string): Promise<KeyObject> {
    const key = await findNewestKey(database, purpose)
    if (key !== undefined) return this.#unwrap(key)
    const { current } = this.#masterKeys
    const stored = await listKeys(database)
    if (current === undefined && stored.some(isWrapped)) throw masterKeyMissing()
    // A wrapped key next to a plaintext one would keep `wrapFirstKeys` from wrapping it.
    const plain = current === undefined ? undefined : stored.find((other) => !isWrapped(other))
    if (plain !== undefined) throw storedInPlaintext(plain)
    await addKeys(database, [newKey(purpose, current)])
    return this.#unwrap((await findNewestKey(database, purpose))!)
  }

  /**
   * Wraps the keys of an installation that gets its first master key. A plaintext key next to a wrapped one was not stored by the
   * gateway: it is left as it is, and `prepare` refuses it.
   */
  async wrapFirstKeys(database: Database): Promise<void> {
    const keys = await listKeys(database)
    if (keys.some(isWrapped)) return
    await inTransaction(database, async (transaction) => {
      for (const key of keys) await this.#rewrap(transaction, key, createSecretKey(key.wrapped))
    })
  }

  /** Wraps all keys with the current master key, except those of secrets, which are replaced. */
  async rewrapKeys(database: Queryable): Promise<void> {
    for (const key of await listKeys(database))
      if (key.purpose !== secretsPurpose && key.masterKey !== this.masterKeyId)
        await this.#rewrap(database, key, await this.#unwrap(key))
  }

  async #rewrap(database: Queryable, key: WrappedKey, dataKey: KeyObject): Promise<void> {
    const current = this.#currentMasterKey()
    await replaceWrapping(database, key, current.id, await current.wrap(dataKey, keyAssociatedData(key)))
  }

  /**
   * Stores the text in plaintext if there is no master key. A worker that has one encrypts it within an hour,
   * unless only commands write the column.
   */
  async encrypt(transaction: Queryable, text: string, associatedData: AssociatedData): Promise<string> {
    if (this.masterKeyId === undefined) return plaintextCipher.encrypt(transaction, text, associatedData)
    // The second attempt succeeds if a concurrent rekey has replaced and deleted the key.
    const newest = (await lockNewestKey(transaction)) ?? (await lockNewestKey(transaction))
    if (newest === undefined) throw new Error('no data key: Encryption.prepare has not run')
    return toText(encrypt(await this.#unwrap(newest), newest.id, text, associatedData))
  }

  async decrypt(database: Queryable, stored: string, associatedData: AssociatedData): Promise<string> {
    if (!isEncrypted(stored)) return stored
    const ciphertext = fromText(stored)
    const key = await this.dataKey(database, findKeyId(ciphertext))
    return decrypt(key, ciphertext, associatedData).toString()
  }

  /** Throws `DamagedCiphertext` if the key does not exist. */
  async dataKey(database: Queryable, id: number): Promise<KeyObject> {
    return (
      this.#dataKeys.get(id) ??
      singleFlight(this.#reading, String(id), async () => {
        const key = await readKey(database, id)
        if (key !== undefined) return this.#unwrap(key)
        throw new DamagedCiphertext(`data key ${id} does not exist: it was deleted, or the value was changed`)
      })
    )
  }

  async #unwrap(key: WrappedKey): Promise<KeyObject> {
    const cachedKey = this.#dataKeys.get(key.id)
    if (cachedKey !== undefined) return cachedKey
    const { readable } = this.#masterKeys
    if (!isWrapped(key)) {
      if (readable.length > 0) throw storedInPlaintext(key)
      return createSecretKey(key.wrapped)
    }
    if (readable.length === 0) throw masterKeyMissing()
    const master = readable.find(({ id }) => id === key.masterKey)
    if (master === undefined) throw wrongMasterKey(key, readable)
    const dataKey = await master.unwrap(key.wrapped, keyAssociatedData(key))
    // A day's key must not outlive its row: only `MessageCipher` keeps it.
    if (!key.purpose.startsWith(messagesPurpose)) this.#dataKeys.set(key.id, dataKey)
    return dataKey
  }

  #currentMasterKey(): MasterKey {
    if (this.#masterKeys.current === undefined) throw masterKeyMissing()
    return this.#masterKeys.current
  }
}

/** Throws a ConfigError if a master key cannot be read. */
export function openEncryption(config: Pick<Config, 'masterKey' | 'previousMasterKey'>): Encryption {
  return new Encryption(readMasterKeys(config))
}

function newKey(purpose: string, master: MasterKey | undefined): NewDataKey {
  const dataKey = randomBytes(keyBytes)
  return {
    purpose,
    masterKey: master?.id ?? notWrapped,
    wrap: async (key) => master?.wrap(createSecretKey(dataKey), keyAssociatedData(key)) ?? dataKey,
  }
}

async function findNewestKey(database: Queryable, purpose: string): Promise<WrappedKey | undefined> {
  return (await listKeys(database)).findLast((key) => key.purpose === purpose)
}

function isWrapped({ masterKey }: WrappedKey): boolean {
  return masterKey !== notWrapped
}

function storedInPlaintext({ id, purpose }: WrappedKey): ConfigError {
  return new ConfigError(
    `data key ${id} (${purpose}) is stored in plaintext although POSTERN_MASTER_KEY is set. If this is the first master key of the installation, run \`postern secrets rekey\` with it, then start the processes. Otherwise the row was not stored by the gateway: find out who has written to the database, make a backup, and remove the row only if nothing was encrypted with it (delete from data_keys where id = ${id}).`,
  )
}

function wrongMasterKey(key: WrappedKey, readable: MasterKeys['readable']): ConfigError {
  const configuredKeys = readable.map(({ id }) => id).join(' and ')
  return new ConfigError(
    `secrets in the database are encrypted under master key ${key.masterKey}, but POSTERN_MASTER_KEY${readable.length > 1 ? ' and POSTERN_PREVIOUS_MASTER_KEY have' : ' has'} ${configuredKeys}. To change the master key, set POSTERN_PREVIOUS_MASTER_KEY to the former one for every process, then run \`postern secrets rekey\`; otherwise correct POSTERN_MASTER_KEY.`,
  )
}
