/** `postern message find`: the stored messages of an account to one number. */
import { findAccountId } from '../../accounts/queries.ts'
import { maskNumber } from '../../channels/numbers.ts'
import { findByRecipient } from '../../records/messages/search.ts'
import { noSuchAccount } from '../account/view.ts'
import { openMessageCipher, withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { MessageSetting } from '../setting-lists.ts'
import { foundResult } from './view.ts'

export async function findMessages(
  invocation: Invocation<MessageSetting>,
  clientId: string,
  number: string,
): Promise<Result> {
  const messages = await withDatabase(invocation, async (database, config, audit) => {
    await openMessageCipher(database, config, invocation)
    const id = await findAccountId(database, clientId)
    if (id === null) throw noSuchAccount(clientId)
    await audit.look({ target: maskNumber(number), account: clientId })
    return findByRecipient(database, id, number)
  })
  return foundResult(clientId, messages)
}
