/** `postern account erase-recipient`: erases the text and recipient of closed messages to one number. */
import { maskNumber } from '../../channels/numbers.ts'
import { eraseRecipient } from '../../records/messages/erase.ts'
import { openMessageCipher, withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { MessageSetting } from '../setting-lists.ts'
import { requireAccountId } from './view.ts'

export async function eraseAccountRecipient(
  invocation: Invocation<MessageSetting>,
  clientId: string,
  number: string,
): Promise<Result> {
  const { erased, open } = await withDatabase(invocation, async (database, config, audit) => {
    await openMessageCipher(database, config, invocation)
    const id = await requireAccountId(database, clientId)
    const subject = { target: maskNumber(number), account: clientId }
    return audit.around(
      subject,
      () => eraseRecipient(database, id, number),
      (counts) => ({ ...counts }),
    )
  })
  const lines = [`${clientId}: text and recipient of ${erased} messages are erased`]
  if (open > 0) lines.push(`${open} messages are still open; run this command again after they are closed`)
  return { json: { clientId, erased, open }, lines }
}
