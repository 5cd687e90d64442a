/**
 * The format of secrets in the database (ADR 33), and of messages before ADR 46: version (1 byte), id of the data key (2),
 * nonce (12), encrypted bytes, tag (16), by AES-256-GCM. The first three bytes and the place of the value are authenticated with it: a
 * ciphertext that is copied to another row, column or table does not decrypt there. Pure.
 */
import { createCipheriv, createDecipheriv, randomFillSync, type KeyObject } from 'node:crypto'

/** Table, column, and what identifies the row: for example its id and its account. */
export type Place = readonly [table: string, column: string, ...row: (string | number)[]]

const version = 1
const headerBytes = 3
const nonceBytes = 12
const tagBytes = 16
export const keyBytes = 32
/** What the format adds to the length of a value. */
export const overheadBytes = headerBytes + nonceBytes + tagBytes
/** Key ids are 16 bits wide: with a new data key every day they last for 179 years. */
export const maxKeyId = 0xffff

/** The value was changed, is of another place, or is not of this format. */
export class DamagedCiphertext extends Error {
  override readonly name = 'DamagedCiphertext'
}

/** As bytes it is imported for every value: 26 µs for a short text instead of 10. */
export type DataKey = KeyObject | Buffer

/** Nonces are random: one key may encrypt 2³² values (NIST SP 800-38D). */
export function encryptBytes(keyId: number, key: DataKey, plain: Buffer | string, place: Place): Buffer {
  const header = Buffer.from([version, keyId >> 8, keyId & 0xff])
  const nonce = nextNonce()
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(boundData(header, place))
  const encrypted = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain)
  // Of GCM it returns no bytes.
  cipher.final()
  return Buffer.concat([header, nonce, encrypted, cipher.getAuthTag()])
}

/** Random bytes of the operating system, for many nonces at once. Each is used once. */
const nonces = Buffer.alloc(nonceBytes * 256)
let usedNonces = nonces.length

function nextNonce(): Buffer {
  if (usedNonces === nonces.length) {
    randomFillSync(nonces)
    usedNonces = 0
  }
  usedNonces += nonceBytes
  // A copy: what refers to it must not see the next filling.
  return Buffer.from(nonces.subarray(usedNonces - nonceBytes, usedNonces))
}

export function decryptBytes(key: DataKey, ciphertext: Buffer, place: Place): Buffer {
  const header = ciphertext.subarray(0, headerBytes)
  const nonce = ciphertext.subarray(headerBytes, headerBytes + nonceBytes)
  const encrypted = ciphertext.subarray(headerBytes + nonceBytes, -tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
    .setAAD(boundData(header, place))
    .setAuthTag(ciphertext.subarray(-tagBytes))
  try {
    const plain = decipher.update(encrypted)
    decipher.final()
    return plain
  } catch {
    throw new DamagedCiphertext(
      `a value of ${place[0]}.${place[1]} cannot be decrypted: it was changed, or copied from another row`,
    )
  }
}

export function keyIdOf(ciphertext: Buffer): number {
  if (ciphertext.length < overheadBytes || ciphertext[0] !== version)
    throw new DamagedCiphertext(
      `an encrypted value has ${ciphertext.length} bytes and version ${ciphertext[0] ?? 'none'}, but this release reads version ${version} of at least ${overheadBytes} bytes; upgrade this process if a newer one has written it`,
    )
  return ciphertext.readUInt16BE(1)
}

/** As JSON, so that no two places have the same bytes. */
function boundData(header: Buffer, place: Place): Buffer {
  return Buffer.concat([header, Buffer.from(JSON.stringify(place))])
}

/** In a text column; nothing that is stored in clear there begins with it. */
const prefix = 'enc:'

export function isEncrypted(stored: string): boolean {
  return stored.startsWith(prefix)
}

export function toText(ciphertext: Buffer): string {
  return prefix + ciphertext.toString('base64')
}

export function fromText(stored: string): Buffer {
  return Buffer.from(stored.slice(prefix.length), 'base64')
}
