import { createHmac } from 'node:crypto'
import type { Database } from '../../../platform/database/database.ts'
import type { Encryption } from '../../../platform/encryption/encryption.ts'

const purpose = 'idempotency'

/**
 * Returns a function that computes the fingerprint of a request from its SHA-256 digest. All processes of an
 * installation compute the same one. The fingerprint is an HMAC under an installation key: most texts come
 * from templates, so plain hashes in a copy of Redis would reveal numbers and codes to a dictionary attack.
 */
export async function openFingerprints(
  database: Database,
  encryption: Pick<Encryption, 'installationKey'>,
): Promise<(digest: Buffer) => string> {
  const key = await encryption.installationKey(database, purpose)
  return (digest) => createHmac('sha256', key).update(digest).digest('base64')
}
