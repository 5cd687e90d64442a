/**
 * The fingerprint of a request that carries an Idempotency-Key: an HMAC of its hash, under a key of the installation. Texts are
 * mostly templates, so that a copy of Redis with plain hashes would show numbers and codes to whoever tries them all.
 */
import { createHmac } from 'node:crypto'
import type { Database } from '../../platform/database.ts'
import type { Encryption } from '../../platform/encryption/encryption.ts'

/** Purpose of the key in `data_keys`. */
const purpose = 'idempotency'

/** Takes the SHA-256 of a request. The same in every process of the installation. */
export async function openFingerprints(
  database: Database,
  encryption: Pick<Encryption, 'installationKey'>,
): Promise<(digest: Buffer) => string> {
  const key = await encryption.installationKey(database, purpose)
  return (digest) => createHmac('sha256', key).update(digest).digest('base64')
}
