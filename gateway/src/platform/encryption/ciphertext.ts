/**
 * Encrypts values with AES-256-GCM. A ciphertext consists of the format version (1 byte), the ID of the data
 * key (2), a random nonce (12), the encrypted bytes and the tag (16). Version, key ID and associated data are
 * authenticated: a ciphertext that is copied to another row, column or table does not decrypt there. With
 * random nonces one key may encrypt 2^32 values (NIST SP 800-38D).
 */
import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto'

/** Table, column and row key of a value. */
export type AssociatedData = readonly [table: string, column: string, ...row: (string | number)[]]

const algorithm = 'aes-256-gcm'
const version = 1
const headerBytes = 3
const nonceBytes = 12
const tagBytes = 16
const textAt = headerBytes + nonceBytes
export const overheadBytes = textAt + tagBytes
export const keyBytes = 32
/** Key IDs have 16 bits: with a new data key every day they last for 179 years. */
export const maxKeyId = 0xffff

/** The value was changed, belongs to another row, or its data key does not exist. */
export class DamagedCiphertext extends Error {
  override readonly name = 'DamagedCiphertext'
}

/** `keyId` is stored with the value. Master keys use 0, which is no ID of a data key. */
export function encrypt(
  key: KeyObject,
  keyId: number,
  plaintext: string | Buffer,
  associatedData: AssociatedData,
): Buffer {
  const header = Buffer.from([version, keyId >> 8, keyId & 0xff])
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(toBytes(header, associatedData))
  const encrypted =
    typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext)
  return Buffer.concat([header, nonce, encrypted, cipher.final(), cipher.getAuthTag()])
}

/** Throws `DamagedCiphertext` if the value was changed or copied. */
export function decrypt(key: KeyObject, ciphertext: Buffer, associatedData: AssociatedData): Buffer {
  try {
    const decipher = createDecipheriv(algorithm, key, ciphertext.subarray(headerBytes, textAt), {
      authTagLength: tagBytes,
    })
      .setAAD(toBytes(ciphertext.subarray(0, headerBytes), associatedData))
      .setAuthTag(ciphertext.subarray(-tagBytes))
    return Buffer.concat([decipher.update(ciphertext.subarray(textAt, -tagBytes)), decipher.final()])
  } catch {
    const [table, column] = associatedData
    throw new DamagedCiphertext(
      `a value of ${table}.${column} cannot be decrypted: it was changed, or copied from another row`,
    )
  }
}

/** Returns the ID of the data key, or 0 if the bytes are not a ciphertext of this format. */
export function findKeyId(ciphertext: Buffer): number {
  return ciphertext.length >= overheadBytes && ciphertext[0] === version ? ciphertext.readUInt16BE(1) : 0
}

/** JSON is unambiguous: no two associated data have the same bytes. */
function toBytes(header: Buffer, associatedData: AssociatedData): Buffer {
  return Buffer.concat([header, Buffer.from(JSON.stringify(associatedData))])
}

/** Marks a ciphertext in a text column. No plaintext that is stored there begins with it. */
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
