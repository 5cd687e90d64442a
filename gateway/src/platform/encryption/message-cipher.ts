/**
 * Encrypts the content of messages (recipient and steps) and what else names a recipient, when the operator wants it
 * (POSTERN_ENCRYPT_MESSAGES). Each UTC day of msgKeys has a data key of its own, so that deleting the key erases the day
 * wherever its ciphertexts are, in backups too. One per process, as the clock is: accept, intake, scheduling, dispatch and
 * the tables all use it, synchronously, because the keys in use are in memory.
 */
import { clock } from '../clock.ts'
import { ConfigError } from '../config.ts'
import type { Database } from '../database.ts'
import type { BlindIndex } from './blind-index.ts'
import { DamagedCiphertext, type Place } from './ciphertext.ts'
import { ensureDayKeys, listDayKeys } from './day-keys.ts'
import type { Encryption } from './encryption.ts'
import { masterKeyMissing } from './field-cipher.ts'
import { isMessageVersion, MessageKey } from './message-key.ts'

/** Messages can be scheduled for 60 days ahead, and a process may be without PostgreSQL for a day. */
const daysAhead = 62
const dayMs = 86_400_000

export interface MessageCipherOptions {
  /** Whether new messages are encrypted. What is encrypted is read in any case. */
  readonly sealing: boolean
  /** Whether traffic records are written, which need the blind index of recipients. */
  readonly traffic?: boolean
}

export class MessageCipher {
  #source: { readonly database: Database; readonly encryption: Encryption } | undefined
  #sealing = false
  #traffic = false
  #index: BlindIndex | undefined
  readonly #idOfDay = new Map<string, number>()
  readonly #keys = new Map<number, MessageKey>()

  get sealing(): boolean {
    return this.#sealing
  }

  /** Whether a traffic record is written when a message closes. */
  get writesTraffic(): boolean {
    return this.#traffic
  }

  /** Undefined unless messages are encrypted or traffic records are written. */
  get index(): BlindIndex | undefined {
    return this.#index
  }

  /** At the start of a process or command. Throws a ConfigError when messages shall be encrypted without a master key. */
  async open(
    database: Database,
    encryption: Encryption,
    { sealing, traffic = false }: MessageCipherOptions,
    now = clock.date(),
  ): Promise<void> {
    if (sealing && encryption.masterKeyId === undefined)
      throw new ConfigError(
        'POSTERN_ENCRYPT_MESSAGES=yes needs a master key: set POSTERN_MASTER_KEY (docs/operations/secrets.md).',
      )
    this.#source = { database, encryption }
    // Also to find messages that were encrypted before the setting was changed.
    const isNeeded = sealing || traffic || (await listDayKeys(database)).length > 0
    this.#index = isNeeded ? await encryption.blindIndex(database) : undefined
    this.#sealing = sealing
    this.#traffic = traffic
    await this.refresh(now)
  }

  /** Without keys, as before `open`. For tests. */
  close(): void {
    this.#source = undefined
    this.#sealing = false
    this.#traffic = false
    this.#index = undefined
    this.#idOfDay.clear()
    this.#keys.clear()
  }

  /** Adds the keys of coming days, learns those of other processes, and forgets those that were destroyed. */
  async refresh(now: Date): Promise<void> {
    if (this.#source === undefined) return
    const { database, encryption } = this.#source
    if (this.#sealing) {
      const missing = Array.from({ length: daysAhead + 2 }, (_, n) =>
        dayOf(new Date(now.getTime() + (n - 1) * dayMs)),
      ).filter((day) => !this.#idOfDay.has(day))
      if (missing.length > 0) await ensureDayKeys(database, encryption, missing)
    }
    const stored = await listDayKeys(database)
    const ids = new Set(stored.map(({ id }) => id))
    for (const [day, id] of this.#idOfDay) if (!ids.has(id)) this.#idOfDay.delete(day)
    for (const id of this.#keys.keys()) if (!ids.has(id)) this.#keys.delete(id)
    for (const { day, id } of stored) {
      // Past days are unwrapped when something of them is read.
      if (this.#sealing && !this.#keys.has(id))
        this.#keys.set(id, new MessageKey(id, await encryption.dataKey(database, id)))
      this.#idOfDay.set(day, id)
    }
  }

  /** In base64. Synchronous unless the key of the day must be read. */
  seal(msgKey: string, plain: string): string | Promise<string> {
    const id = this.#idOfDay.get(msgKey.slice(0, 8))
    const key = id === undefined ? undefined : this.#keys.get(id)
    if (id === undefined || key === undefined) return this.#sealLater(msgKey, plain)
    return key.encrypt(plain, placeOf(msgKey))
  }

  async #sealLater(msgKey: string, plain: string): Promise<string> {
    if (this.#source === undefined) throw masterKeyMissing()
    const { database, encryption } = this.#source
    const day = msgKey.slice(0, 8)
    if (!/^\d{8}$/.test(day)) throw new Error('a message without a day cannot be encrypted')
    await ensureDayKeys(database, encryption, [day])
    const { id } = (await listDayKeys(database)).find((stored) => stored.day === day)!
    this.#keys.set(id, new MessageKey(id, await encryption.dataKey(database, id)))
    this.#idOfDay.set(day, id)
    return this.seal(msgKey, plain)
  }

  /** Whether `unseal` has the key in memory. */
  isReadable(sealed: string): boolean {
    return this.#keys.has(keyIdOfSealed(sealed))
  }

  /** Reads the keys that `unseal` needs; does nothing when they are in memory. A key that is destroyed is not an error. */
  async loadKeys(sealed: Iterable<string | null | undefined>): Promise<void> {
    const missing = new Set<number>()
    for (const text of sealed) {
      if (text === null || text === undefined) continue
      const id = keyIdOfSealed(text)
      if (id > 0 && !this.#keys.has(id)) missing.add(id)
    }
    if (missing.size === 0) return
    if (this.#source === undefined) throw masterKeyMissing()
    const { database, encryption } = this.#source
    for (const id of missing) {
      try {
        this.#keys.set(id, new MessageKey(id, await encryption.dataKey(database, id)))
      } catch (error) {
        if (!(error instanceof DamagedCiphertext)) throw error
      }
    }
  }

  /** Throws `DamagedCiphertext` when it was changed, is of another message, or when its key is destroyed or not loaded. */
  unseal(msgKey: string, sealed: string): string {
    const id = keyIdOfSealed(sealed)
    if (id === 0)
      throw new DamagedCiphertext(
        'the content of the message is not of a version that this release reads; upgrade this process if a newer one has written it',
      )
    const key = this.#keys.get(id)
    if (key === undefined)
      throw new DamagedCiphertext(
        `the content of the message cannot be read: data key ${id} of its day does not exist any more`,
      )
    return key.decrypt(Buffer.from(sealed, 'base64'), placeOf(msgKey))
  }
}

/** The one of this process. Roles and commands open it. */
export const messageCipher = new MessageCipher()

/** The UTC day, as the first eight digits of a msgKey are. */
function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10).replaceAll('-', '')
}

function placeOf(msgKey: string): Place {
  return ['messages', 'sealed', msgKey]
}

/** From the first bytes; 0 when it is not a ciphertext that this release reads. */
function keyIdOfSealed(sealed: string): number {
  const [version, high, low] = Buffer.from(sealed.slice(0, 8), 'base64')
  return isMessageVersion(version) && low !== undefined ? (high! << 8) | low : 0
}
