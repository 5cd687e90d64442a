/**
 * Envelope encryption of secrets in the database. Values are encrypted by a data key; data keys are stored wrapped by a
 * master key, which only processes have. Unwrapped data keys stay in memory. Opened once per process or command.
 */
import { ConfigError, type Config } from '../config.ts'
import { inTransaction, type Database, type Queryable } from '../database.ts'
import {
  DamagedCiphertext,
  decryptBytes,
  encryptBytes,
  fromText,
  isEncrypted,
  keyIdOf,
  toText,
  type Place,
} from './ciphertext.ts'
import { createBlindIndex, recipientIndexPurpose, type BlindIndex } from './blind-index.ts'
import {
  addKey,
  listKeys,
  lockNewestKey,
  messagesPurpose,
  notWrapped,
  placeOfKey,
  readKey,
  replaceWrapping,
  secretsPurpose,
  type NewKey,
  type WrappedKey,
} from './data-keys.ts'
import { inClear, masterKeyMissing, type FieldCipher } from './field-cipher.ts'
import { createDataKey, readMasterKeys, type MasterKeys } from './master-key.ts'

export class Encryption implements FieldCipher {
  readonly #masterKeys: MasterKeys
  readonly #dataKeys = new Map<number, Buffer>()
  readonly #reading = new Map<number, Promise<Buffer>>()
  #blindIndex: Promise<BlindIndex> | undefined

  constructor(masterKeys: MasterKeys) {
    this.#masterKeys = masterKeys
  }

  /** Undefined: new secrets are stored in clear. */
  get masterKeyId(): string | undefined {
    return this.#masterKeys.current?.id
  }

  /**
   * Checks that every data key can be read, and adds the first one for secrets. Throws a ConfigError that tells the operator what to do.
   */
  async prepare(database: Database): Promise<void> {
    const keys = await listKeys(database)
    for (const key of keys) await this.#unwrap(key)
    if (this.#masterKeys.current !== undefined && !keys.some(({ purpose }) => purpose === secretsPurpose))
      await this.addDataKey(database)
  }

  /**
   * Wraps the keys of an installation that gets its first master key. A key in clear beside a wrapped one was not stored by the gateway: it
   * stays as it is, and `prepare` refuses it.
   */
  async wrapFirstKeys(database: Database): Promise<void> {
    const keys = await listKeys(database)
    if (!keys.some(isWrapped))
      await inTransaction(database, async (transaction) => {
        for (const key of keys) await this.#wrap(transaction, key, key.wrapped)
      })
  }

  /** A data key under the current master key, unless the newest one is of it already. True when it was added. */
  addDataKey(database: Database): Promise<boolean> {
    const { current } = this.#masterKeys
    if (current === undefined) throw masterKeyMissing()
    return addKey(database, {
      ...this.newKey(secretsPurpose),
      serves: ({ masterKey }) => masterKey === current.id,
    })
  }

  /** A new key under the current master key, for `addKey`. */
  newKey(purpose: string): Omit<NewKey, 'serves'> {
    const { current } = this.#masterKeys
    if (current === undefined) throw masterKeyMissing()
    return {
      purpose,
      masterKey: current.id,
      wrap: (key) => current.wrap(createDataKey(), placeOfKey(key)),
    }
  }

  /**
   * The blind index of recipients. Its key stays: with another one nothing that is stored would be found.
   */
  blindIndex(database: Database): Promise<BlindIndex> {
    this.#blindIndex ??= this.#openBlindIndex(database).catch((error: unknown) => {
      this.#blindIndex = undefined
      throw error
    })
    return this.#blindIndex
  }

  /** For commands that only read, which cannot make its key: undefined when nothing was indexed yet. */
  async findBlindIndex(database: Database): Promise<BlindIndex | undefined> {
    return (await findNewestKey(database, recipientIndexPurpose)) === undefined
      ? undefined
      : this.blindIndex(database)
  }

  async #openBlindIndex(database: Database): Promise<BlindIndex> {
    return createBlindIndex(await this.installationKey(database, recipientIndexPurpose))
  }

  /**
   * The one key of a purpose. It is added when it is first asked for, and stays. Without a master key it is stored as it is
   * until there is one.
   */
  async installationKey(database: Database, purpose: string): Promise<Buffer> {
    const { current } = this.#masterKeys
    // A command that only reads has no right to lock rows.
    let key = await findNewestKey(database, purpose)
    if (key === undefined) {
      const stored = await listKeys(database)
      if (current === undefined && stored.some(isWrapped)) throw masterKeyMissing()
      // A wrapped key beside one in clear would keep the first rekey from wrapping that.
      const clear = current === undefined ? undefined : stored.find((other) => !isWrapped(other))
      if (clear !== undefined) throw storedInClear(clear)
      await addKey(database, {
        purpose,
        masterKey: current?.id ?? notWrapped,
        wrap: (added) =>
          current?.wrap(createDataKey(), placeOfKey(added)) ?? Promise.resolve(createDataKey()),
        serves: () => true,
      })
      key = (await findNewestKey(database, purpose))!
    }
    return this.#unwrap(key)
  }

  /** Stores every key but those of secrets, which are replaced, under the current master key. */
  async rewrapKeys(database: Queryable): Promise<void> {
    const current = this.masterKeyId
    for (const key of await listKeys(database))
      if (key.purpose !== secretsPurpose && key.masterKey !== current)
        await this.#wrap(database, key, await this.#unwrap(key))
  }

  async #wrap(database: Queryable, key: WrappedKey, dataKey: Buffer): Promise<void> {
    const { current } = this.#masterKeys
    if (current === undefined) throw masterKeyMissing()
    const wrapped = await current.wrap(dataKey, placeOfKey(key))
    await replaceWrapping(database, key, { ...key, masterKey: current.id, wrapped })
  }

  /**
   * In clear without a master key. When other processes have got one meanwhile, a worker encrypts the value within an hour.
   */
  async encrypt(transaction: Queryable, text: string, place: Place): Promise<string> {
    if (this.#masterKeys.current === undefined) return inClear.encrypt(transaction, text, place)
    // Again when the key was replaced and deleted in this moment.
    const newest = (await lockNewestKey(transaction)) ?? (await lockNewestKey(transaction))
    if (newest === undefined) throw new Error('there is no data key: Encryption.prepare has not run')
    return toText(encryptBytes(newest.id, await this.#unwrap(newest), Buffer.from(text), place))
  }

  async decrypt(database: Queryable, stored: string, place: Place): Promise<string> {
    if (!isEncrypted(stored)) return stored
    const ciphertext = fromText(stored)
    return decryptBytes(await this.dataKey(database, keyIdOf(ciphertext)), ciphertext, place).toString()
  }

  /** One read for all values that are decrypted at once. Throws `DamagedCiphertext` when there is no such key. */
  dataKey(database: Queryable, id: number): Promise<Buffer> {
    const known = this.#dataKeys.get(id)
    if (known !== undefined) return Promise.resolve(known)
    const reading =
      this.#reading.get(id) ?? this.#readKey(database, id).finally(() => this.#reading.delete(id))
    this.#reading.set(id, reading)
    return reading
  }

  /** Of a key that `postern secrets rekey` has added since the start. */
  async #readKey(database: Queryable, id: number): Promise<Buffer> {
    const wrapped = await readKey(database, id)
    if (wrapped === undefined)
      throw new DamagedCiphertext(`data key ${id} does not exist: it was deleted, or the value was changed`)
    return this.#unwrap(wrapped)
  }

  async #unwrap(key: WrappedKey): Promise<Buffer> {
    const known = this.#dataKeys.get(key.id)
    if (known !== undefined) return known
    const { readable } = this.#masterKeys
    if (!isWrapped(key)) {
      if (readable.length > 0) throw storedInClear(key)
      return key.wrapped
    }
    if (readable.length === 0) throw masterKeyMissing()
    const master = readable.find(({ id }) => id === key.masterKey)
    if (master === undefined) throw wrongMasterKey(key, readable)
    const dataKey = await master.unwrap(key.wrapped, placeOfKey(key))
    // The key of a day must not outlive its row: `message-cipher.ts` keeps it as long as that exists.
    if (!key.purpose.startsWith(messagesPurpose)) this.#dataKeys.set(key.id, dataKey)
    return dataKey
  }
}

function isWrapped({ masterKey }: WrappedKey): boolean {
  return masterKey !== notWrapped
}

function storedInClear({ id, purpose }: WrappedKey): ConfigError {
  return new ConfigError(
    `data key ${id} (${purpose}) is stored in clear although POSTERN_MASTER_KEY is set. If this is the first master key of the installation, run \`postern secrets rekey\` with it, then start the processes. Otherwise the row was not stored by the gateway: find out who has written to the database, make a backup, and remove the row only if nothing was encrypted with it (delete from data_keys where id = ${id}).`,
  )
}

function wrongMasterKey(key: WrappedKey, readable: MasterKeys['readable']): ConfigError {
  const given = readable.map(({ id }) => id).join(' and ')
  return new ConfigError(
    `secrets in the database are encrypted under master key ${key.masterKey}, but POSTERN_MASTER_KEY${readable.length > 1 ? ' and POSTERN_PREVIOUS_MASTER_KEY have' : ' has'} ${given}. To change the master key, set POSTERN_PREVIOUS_MASTER_KEY to the former one for every process, then run \`postern secrets rekey\`; otherwise correct POSTERN_MASTER_KEY.`,
  )
}

/** Throws a ConfigError when a master key cannot be read. */
export function openEncryption(config: Pick<Config, 'masterKey' | 'previousMasterKey'>): Encryption {
  return new Encryption(readMasterKeys(config))
}

async function findNewestKey(database: Queryable, purpose: string): Promise<WrappedKey | undefined> {
  return (await listKeys(database)).findLast((key) => key.purpose === purpose)
}
