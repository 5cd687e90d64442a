/** `postern message find`: the stored messages of an account to one number. */
import { findAccountId } from '../../accounts/queries.ts'
import { findByRecipient } from '../../records/messages/find.ts'
import { noSuchAccount } from '../account/view.ts'
import { openMessageCipher, withDatabase } from '../connect.ts'
import type { Result } from '../result.ts'

export async function findMessages(clientId: string, number: string): Promise<Result> {
  const messages = await withDatabase(async (database, config) => {
    await openMessageCipher(database, config)
    const id = await findAccountId(database, clientId)
    if (id === null) throw noSuchAccount(clientId)
    return findByRecipient(database, id, number)
  })
  const lines = messages.map(
    ({ msgKey, acceptedAt, open }) => `${acceptedAt.toISOString()}  ${msgKey}  ${open ? 'open' : 'closed'}`,
  )
  return {
    json: { clientId, messages },
    lines: lines.length > 0 ? lines : ['no stored message of the account to this number'],
  }
}
