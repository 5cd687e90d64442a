/**
 * Erases the text and recipient of closed messages to one number, its replies, and the images that only these messages use, for commands
 * and the admin API. Parked jobs that name the number are returned, because an operator has to decide on each.
 */
import { maskNumber } from '../channels/numbers.ts'
import { findUnshared, withdraw } from '../files/unshared.ts'
import { findParkedTo } from '../parked/find.ts'
import type { Database } from '../platform/database.ts'
import type { Encryption } from '../platform/encryption/encryption.ts'
import { eraseRecipient, type ErasedRecipient } from '../records/messages/erase.ts'
import { eraseRepliesOf } from '../records/replies/queries.ts'
import { requireAccountId } from './accounts.ts'
import type { ActAudit } from './act-audit.ts'

export interface Erasure extends ErasedRecipient {
  readonly files: number
  /** Replies of the number to the account. */
  readonly replies: number
  /** Numbers of parked jobs. */
  readonly parked: readonly number[]
}

export interface ErasureContext {
  readonly database: Database
  readonly audit: ActAudit
  readonly encryption: Pick<Encryption, 'findBlindIndex'>
}

export async function eraseRecipientOf(
  { database, audit, encryption }: ErasureContext,
  clientId: string,
  number: string,
): Promise<Erasure> {
  const index = await encryption.findBlindIndex(database)
  const accountId = await requireAccountId(database, clientId)
  const subject = { target: maskNumber(number), account: clientId }
  const erase = async (): Promise<Erasure> => {
    let files = 0
    const counts = await eraseRecipient(database, accountId, number, async (msgKeys) => {
      files = await withdraw(database, accountId, await findUnshared(database, accountId, msgKeys))
    })
    // Without an index no reply was ever stored.
    const replies = index === undefined ? 0 : await eraseRepliesOf(database, accountId, index.of(number))
    return { ...counts, files, replies, parked: await findParkedTo(database, accountId, number) }
  }
  return audit.around(subject, erase, (counts) => ({ ...counts, parked: counts.parked.length }))
}
