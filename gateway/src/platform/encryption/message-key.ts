/**
 * Encrypts and decrypts under the key of one day (ADR 46): version 2 (1 byte), id of the data key (2), counter block (16),
 * encrypted bytes, tag (16), by AES-256-CTR and then HMAC-SHA-256. All of it and the place of the value are authenticated.
 * Ciphertexts of version 1, by AES-256-GCM (`ciphertext.ts`), are still read.
 */
import { createDecipheriv, createSecretKey, hkdfSync, timingSafeEqual, type KeyObject } from 'node:crypto'
import { DamagedCiphertext, decryptBytes, keyIdOf, maxKeyId, type Place } from './ciphertext.ts'
import { Hmac256, hmacRoom } from './hmac.ts'
import { counterBytes, Keystream, wordBytes } from './keystream.ts'

const version = 2
const headerBytes = 3
const tagBytes = 16
const lengthBytes = 4
const encryptedAt = headerBytes + counterBytes
const overheadBytes = encryptedAt + tagBytes

/**
 * What is authenticated is put together in one buffer, behind the room that the HMAC needs, so that the encrypted bytes begin at a multiple of
 * four: they are encrypted in place by words. One buffer for the process: encrypting is synchronous, and leaves no clear text in it.
 */
const hashedAt = 1
const lengthAt = hashedAt + hmacRoom
const ciphertextAt = lengthAt + lengthBytes
const textAt = ciphertextAt + encryptedAt
const shared = Buffer.alloc(16_384)
/** A unit of a string has at most three bytes in UTF-8. */
const maxUnitBytes = 3

export class MessageKey {
  readonly #id: number
  readonly #dataKey: Buffer
  readonly #cipherKey: KeyObject
  readonly #keystream: Keystream
  readonly #hmac: Hmac256
  #formerKey: KeyObject | undefined

  constructor(id: number, dataKey: Buffer) {
    if (id < 1 || id > maxKeyId) throw new Error(`a data key has an id from 1 to ${maxKeyId}`)
    this.#id = id
    this.#dataKey = dataKey
    // Two uses of one key would have to be shown to be independent.
    this.#cipherKey = createSecretKey(derive(dataKey, 'message encryption'))
    this.#hmac = new Hmac256(derive(dataKey, 'message authentication'))
    this.#keystream = new Keystream(this.#cipherKey)
  }

  /** In base64. 3 µs for a short text: a `Cipheriv` for each took 8, and left four objects to the collector. */
  encrypt(plain: string, place: Place): string {
    const where = JSON.stringify(place)
    const room = textAt + (plain.length + where.length) * maxUnitBytes + tagBytes
    const buffer = room <= shared.length ? shared : Buffer.alloc(Math.ceil(room / wordBytes) * wordBytes)
    const bytes = buffer.write(plain, textAt)
    const { counter, words, at } = this.#keystream.take(bytes)
    xorWords(buffer, words, at, Math.ceil(bytes / wordBytes))
    const tagAt = textAt + bytes
    buffer.writeUInt32BE(tagAt - ciphertextAt, lengthAt)
    buffer[ciphertextAt] = version
    buffer[ciphertextAt + 1] = this.#id >> 8
    buffer[ciphertextAt + 2] = this.#id & 0xff
    counter.copy(buffer, ciphertextAt + headerBytes)
    const end = tagAt + buffer.write(where, tagAt)
    const tag = this.#hmac.hexOf(buffer.subarray(hashedAt, end))
    buffer.write(tag.slice(0, 2 * tagBytes), tagAt, 'hex')
    return buffer.toString('base64', ciphertextAt, tagAt + tagBytes)
  }

  /** Throws `DamagedCiphertext`. */
  decrypt(ciphertext: Buffer, place: Place): string {
    if (ciphertext[0] !== version) {
      // Refuses other versions, and what is too short for this one.
      keyIdOf(ciphertext)
      this.#formerKey ??= createSecretKey(this.#dataKey)
      return decryptBytes(this.#formerKey, ciphertext, place).toString()
    }
    if (
      ciphertext.length < overheadBytes ||
      !timingSafeEqual(this.#tagOf(ciphertext, place), ciphertext.subarray(-tagBytes))
    )
      throw new DamagedCiphertext(
        `a value of ${place[0]}.${place[1]} cannot be decrypted: it was changed, or copied from another row`,
      )
    const counter = ciphertext.subarray(headerBytes, encryptedAt)
    const decipher = createDecipheriv('aes-256-ctr', this.#cipherKey, counter)
    return decipher.update(ciphertext.subarray(encryptedAt, -tagBytes)).toString()
  }

  /** The length of the ciphertext comes first, so that no other division into ciphertext and place has the same bytes. */
  #tagOf(ciphertext: Buffer, place: Place): Buffer {
    const where = JSON.stringify(place)
    const length = ciphertext.length - tagBytes
    const data = Buffer.allocUnsafe(lengthBytes + length + Buffer.byteLength(where))
    data.writeUInt32BE(length)
    ciphertext.copy(data, lengthBytes, 0, length)
    data.write(where, lengthBytes + length)
    return this.#hmac.digest(data).subarray(0, tagBytes)
  }
}

/** What follows the text in its last word is written afterwards. */
function xorWords(buffer: Buffer, stream: Int32Array, from: number, count: number): void {
  const text = new Int32Array(buffer.buffer, buffer.byteOffset + textAt, count)
  for (let n = 0; n < count; n++) text[n]! ^= stream[from + n]!
}

/** The versions that `decrypt` reads. */
export function isMessageVersion(first: number | undefined): boolean {
  return first === 1 || first === version
}

function derive(key: Buffer, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), use, 32))
}
