/**
 * Erases the hashes of passwords and keys that have ended: by their expiry, or with the overlap of a rotation. A dump taken
 * later holds nothing of them that could be attacked. Called by the maintenance of the worker role.
 */
import { inTransaction, type Database } from '../platform/database.ts'
import { eraseEndedCredentials } from './credential-queries.ts'
import { syncPasswordHash } from './queries.ts'

export async function eraseCredentials(database: Database, now: Date): Promise<void> {
  await inTransaction(database, async (transaction) => {
    for (const accountId of await eraseEndedCredentials(transaction, now))
      await syncPasswordHash(transaction, accountId)
  })
}
