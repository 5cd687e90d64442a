/** Finds all stored messages of an account to one number, encrypted or not, for `postern message find` and the erasure of a recipient. */
import type { Database } from '../../platform/database.ts'
import { readFound } from './search.ts'
import { searchNewestDay } from './search-days.ts'

export interface FoundMessage {
  readonly msgKey: string
  readonly acceptedAt: Date
  readonly open: boolean
}

const pageSize = 1_000
const afterEveryKey = '~'

/** Returns the messages, newest first, however the number is written. Encrypted messages are found while `messageCipher` is open. */
export async function findByRecipient(
  database: Database,
  accountId: number,
  recipient: string,
): Promise<FoundMessage[]> {
  const found: FoundMessage[] = []
  let beforeKey: string | null = afterEveryKey
  while (beforeKey !== null) {
    const filter = { accountId, recipient, fromKey: '', beforeKey }
    const { keys, next } = await searchNewestDay(database, filter, pageSize)
    for (const { msgKey, acceptedAt, open } of await readFound(database, keys))
      found.push({ msgKey, acceptedAt, open })
    beforeKey = next
  }
  return found
}
