/**
 * A master key wraps (encrypts) data keys and nothing else. A process gets it by reference; it is never
 * stored in the database. The interface is asynchronous, so that a key management service can implement it.
 */
import { createHash, createSecretKey, type KeyObject } from 'node:crypto'
import { ConfigError, type Config } from '../settings/config.ts'
import { resolveReference } from '../settings/secret-reference.ts'
import { decrypt, encrypt, keyBytes, type AssociatedData } from './ciphertext.ts'

export interface MasterKey {
  /** Digest that identifies the key without revealing it; stored with each wrapped key. */
  readonly id: string
  wrap(dataKey: KeyObject, associatedData: AssociatedData): Promise<Buffer>
  unwrap(wrapped: Buffer, associatedData: AssociatedData): Promise<KeyObject>
}

export interface MasterKeys {
  /** Wraps new data keys. If undefined, secrets are stored in plaintext. */
  readonly current: MasterKey | undefined
  /** The current and the previous key. */
  readonly readable: readonly MasterKey[]
}

/** Reads POSTERN_MASTER_KEY and POSTERN_PREVIOUS_MASTER_KEY. Throws a ConfigError, which does not contain the key. */
export function readMasterKeys(config: Pick<Config, 'masterKey' | 'previousMasterKey'>): MasterKeys {
  const current = readMasterKey('POSTERN_MASTER_KEY', config.masterKey)
  const previous = readMasterKey('POSTERN_PREVIOUS_MASTER_KEY', config.previousMasterKey)
  if (current === undefined && previous !== undefined)
    throw new ConfigError(
      'POSTERN_PREVIOUS_MASTER_KEY is set without POSTERN_MASTER_KEY; set POSTERN_MASTER_KEY to the new key.',
    )
  return { current, readable: [current, previous].filter((key) => key !== undefined) }
}

function readMasterKey(setting: string, reference: string | undefined): MasterKey | undefined {
  if (reference === undefined) return undefined
  const text = resolveReference(reference, `${setting} refers to it`)
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (bytes.length !== keyBytes)
    throw new ConfigError(
      `${setting} refers to ${reference}, which must contain ${keyBytes} random bytes, as 64 hexadecimal digits or in base64. Create one with: openssl rand -hex 32`,
    )
  return localMasterKey(bytes)
}

export function localMasterKey(bytes: Buffer): MasterKey {
  const key = createSecretKey(bytes)
  return {
    id: createHash('sha256').update('postern master key\n').update(bytes).digest('hex').slice(0, 12),
    wrap: (dataKey, associatedData) => Promise.resolve(encrypt(key, 0, dataKey.export(), associatedData)),
    // oxlint-disable-next-line typescript/require-await -- a wrong key is a rejection
    unwrap: async (wrapped, associatedData) => createSecretKey(decrypt(key, wrapped, associatedData)),
  }
}
