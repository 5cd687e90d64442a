/**
 * Encrypts the content of messages if POSTERN_ENCRYPT_MESSAGES=yes. Each UTC day has a data key, chosen by the first eight digits
 * of the msgKey; deleting the key erases the day wherever its ciphertexts are, including backups. There is one cipher per process.
 * It holds its keys in memory, so that messages are accepted while PostgreSQL is unavailable.
 */
import type { KeyObject } from 'node:crypto'
import { clock } from '../time/clock.ts'
import { ConfigError } from '../settings/config.ts'
import type { Database } from '../database/database.ts'
import type { BlindIndex } from './blind-index.ts'
import { DamagedCiphertext, decrypt, encrypt, findKeyId, type AssociatedData } from './ciphertext.ts'
import { listDayKeys } from './data-keys.ts'
import type { Encryption } from './encryption.ts'
import { masterKeyMissing } from './field-cipher.ts'

/** Messages can be scheduled 60 days ahead, and a process may run without PostgreSQL for a day. */
const daysAhead = 62
const dayMs = 86_400_000

export interface MessageCipherOptions {
  /** Encrypts new messages. Encrypted messages are readable in any case. */
  readonly sealing: boolean
  /** Opens the blind index for traffic records. */
  readonly traffic?: boolean
}

export class MessageCipher {
  #source: { readonly database: Database; readonly encryption: Encryption } | undefined
  #sealing = false
  #traffic = false
  #index: BlindIndex | undefined
  readonly #keyIds = new Map<string, number>()
  readonly #keys = new Map<number, KeyObject>()

  get sealing(): boolean {
    return this.#sealing
  }

  get writesTraffic(): boolean {
    return this.#traffic
  }

  /** Undefined if no message is encrypted and no traffic records are written. */
  get index(): BlindIndex | undefined {
    return this.#index
  }

  /** Throws a ConfigError if messages are to be encrypted without a master key. */
  async open(
    database: Database,
    encryption: Encryption,
    { sealing, traffic = false }: MessageCipherOptions,
    now = clock.date(),
  ): Promise<void> {
    if (sealing && encryption.masterKeyId === undefined)
      throw new ConfigError(
        'POSTERN_ENCRYPT_MESSAGES=yes requires POSTERN_MASTER_KEY (docs/operations/secrets.md).',
      )
    this.#source = { database, encryption }
    // Messages that were encrypted earlier are still searched after the setting is changed.
    const isIndexed = sealing || traffic || (await listDayKeys(database)).length > 0
    this.#index = isIndexed ? await encryption.blindIndex(database) : undefined
    this.#sealing = sealing
    this.#traffic = traffic
    await this.refresh(now)
  }

  /** Resets the cipher to the state before `open`, for tests. */
  close(): void {
    this.#source = undefined
    this.#sealing = false
    this.#traffic = false
    this.#index = undefined
    this.#keyIds.clear()
    this.#keys.clear()
  }

  /** Adds the keys of coming days, reads those of other processes, and drops destroyed ones. */
  async refresh(now: Date): Promise<void> {
    if (this.#source === undefined) return
    const { database, encryption } = this.#source
    if (this.#sealing) {
      const days = Array.from({ length: daysAhead + 2 }, (_, n) => toDay(now.getTime() + (n - 1) * dayMs))
      const missing = days.filter((day) => !this.#keyIds.has(day))
      if (missing.length > 0) await encryption.addDayKeys(database, missing)
    }
    // Keys that are loaded while the table is read may be missing in the result, so drop only those loaded before.
    const known = [...this.#keys.keys()]
    const stored = await listDayKeys(database)
    const ids = new Set(stored.map(({ id }) => id))
    for (const [day, id] of this.#keyIds) if (!ids.has(id)) this.#keyIds.delete(day)
    for (const id of known) if (!ids.has(id)) this.#keys.delete(id)
    for (const { day, id } of stored) {
      // A process that does not encrypt reads keys on demand.
      if (this.#sealing) await this.#load(id)
      this.#keyIds.set(day, id)
    }
  }

  /** Returns the encrypted content in base64. */
  async seal(msgKey: string, plaintext: string | Buffer): Promise<string> {
    const day = msgKey.slice(0, 8)
    const id = this.#keyIds.get(day) ?? (await this.#addDay(day))
    const key = this.#keys.get(id) ?? (await this.#load(id))
    return encrypt(key, id, plaintext, toAssociatedData(msgKey)).toString('base64')
  }

  async #addDay(day: string): Promise<number> {
    if (this.#source === undefined) throw masterKeyMissing()
    if (!/^\d{8}$/.test(day)) throw new Error('a message without a day cannot be encrypted')
    const { database, encryption } = this.#source
    await encryption.addDayKeys(database, [day])
    const { id } = (await listDayKeys(database)).find((stored) => stored.day === day)!
    this.#keyIds.set(day, id)
    return id
  }

  async #load(id: number): Promise<KeyObject> {
    if (this.#source === undefined) throw masterKeyMissing()
    const { database, encryption } = this.#source
    const key = this.#keys.get(id) ?? (await encryption.dataKey(database, id))
    this.#keys.set(id, key)
    return key
  }

  /** Reports whether the key that `unseal` needs is in memory. */
  isReadable(sealed: string): boolean {
    return this.#keys.has(findKeyId(Buffer.from(sealed, 'base64')))
  }

  /** Reads the keys that `unseal` needs and that are not in memory. A destroyed key is not an error. */
  async loadKeys(sealed: Iterable<string | null | undefined>): Promise<void> {
    const ids = new Set<number>()
    for (const text of sealed) ids.add(findKeyId(Buffer.from(text ?? '', 'base64')))
    for (const id of ids) {
      try {
        if (id > 0 && !this.#keys.has(id)) await this.#load(id)
      } catch (error) {
        if (!(error instanceof DamagedCiphertext)) throw error
      }
    }
  }

  /**
   * Throws `DamagedCiphertext` if the content was changed or copied from another message, or its key was
   * destroyed or is not loaded.
   */
  unseal(msgKey: string, sealed: string): string {
    return this.unsealBytes(msgKey, sealed).toString()
  }

  unsealBytes(msgKey: string, sealed: string): Buffer {
    const ciphertext = Buffer.from(sealed, 'base64')
    const id = findKeyId(ciphertext)
    const key = this.#keys.get(id)
    if (key === undefined)
      throw new DamagedCiphertext(
        `the content of the message cannot be read: data key ${id} does not exist, or the content was changed`,
      )
    return decrypt(key, ciphertext, toAssociatedData(msgKey))
  }
}

/** The cipher of this process. Roles and commands open it. */
export const messageCipher = new MessageCipher()

/** Returns a UTC day in the form of the first eight digits of a msgKey. */
function toDay(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10).replaceAll('-', '')
}

function toAssociatedData(msgKey: string): AssociatedData {
  return ['messages', 'sealed', msgKey]
}
