/**
 * A master key encrypts ("wraps") data keys and nothing else. It is given to a process by reference and never stored in the
 * database. The interface is asynchronous, so that a key service can implement it, which never hands out the key itself.
 */
import { createHash, randomBytes } from 'node:crypto'
import { ConfigError, type Config } from '../config.ts'
import { resolveReference } from '../secret-reference.ts'
import { decryptBytes, encryptBytes, keyBytes, type Place } from './ciphertext.ts'

export interface MasterKey {
  /** Names the key without revealing it; stored beside what it wraps. */
  readonly id: string
  wrap(dataKey: Buffer, place: Place): Promise<Buffer>
  unwrap(wrapped: Buffer, place: Place): Promise<Buffer>
}

export interface MasterKeys {
  /** Wraps new data keys; undefined: secrets are stored in clear. */
  readonly current: MasterKey | undefined
  /** All that can be read with, the current one included. */
  readonly readable: readonly MasterKey[]
}

/** From POSTERN_MASTER_KEY and POSTERN_PREVIOUS_MASTER_KEY. Throws a ConfigError that says what is wrong, without the key. */
export function readMasterKeys(config: Pick<Config, 'masterKey' | 'previousMasterKey'>): MasterKeys {
  const current = readMasterKey('POSTERN_MASTER_KEY', config.masterKey)
  const previous = readMasterKey('POSTERN_PREVIOUS_MASTER_KEY', config.previousMasterKey)
  if (current === undefined && previous !== undefined)
    throw new ConfigError(
      'POSTERN_PREVIOUS_MASTER_KEY is set without POSTERN_MASTER_KEY; set POSTERN_MASTER_KEY to the key that is used from now on.',
    )
  return { current, readable: [current, previous].filter((key) => key !== undefined) }
}

export function readMasterKey(setting: string, reference: string | undefined): MasterKey | undefined {
  if (reference === undefined) return undefined
  const text = resolveReference(reference, `${setting} refers to it`)
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (bytes.length !== keyBytes)
    throw new ConfigError(
      `${setting} refers to ${reference}, which must hold ${keyBytes} random bytes, as 64 hexadecimal digits or in base64. Create one with: openssl rand -hex 32`,
    )
  return localMasterKey(bytes)
}

export function localMasterKey(bytes: Buffer): MasterKey {
  const id = createHash('sha256').update('postern master key\n').update(bytes).digest('hex').slice(0, 12)
  return {
    id,
    wrap: (dataKey, place) => Promise.resolve(encryptBytes(0, bytes, dataKey, place)),
    // oxlint-disable-next-line typescript/require-await -- a wrong key is a rejection
    unwrap: async (wrapped, place) => decryptBytes(bytes, wrapped, place),
  }
}

export function createDataKey(): Buffer {
  return randomBytes(keyBytes)
}
