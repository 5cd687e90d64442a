/**
 * Finds the stored messages of an account to one number, encrypted or not. No index serves it, because every message would
 * pay for one: it reads all stored messages and is meant for occasional requests. Called by `postern message find` and by the erasure of a
 * recipient.
 */
import { inTransaction, type Database } from '../../platform/database.ts'
import { normalizeRecipient } from '../../platform/encryption/blind-index.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'

export interface FoundMessage {
  readonly msgKey: string
  readonly acceptedAt: Date
  readonly open: boolean
}

/** Finds the messages to a number, however it is written. Encrypted messages are found while `messageCipher` is open. Newest first. */
export async function findByRecipient(
  database: Database,
  accountId: number,
  recipient: string,
): Promise<FoundMessage[]> {
  const index = messageCipher.index?.of(recipient, accountId) ?? null
  const found = await inTransaction(database, async (transaction) => {
    await transaction.query('set local enable_seqscan = on')
    return transaction.query<FoundMessage>(
      `select m.msg_key as "msgKey", m.accepted_at as "acceptedAt",
              exists (select from in_flight f where f.msg_key = any (array[m.msg_key])) as open
         from messages m
        where m.account_id = $1 and (m.recipient = $2 or m.recipient_index = $3)
        order by m.msg_key desc`,
      [accountId, normalizeRecipient(recipient), index],
    )
  })
  return found.rows
}
