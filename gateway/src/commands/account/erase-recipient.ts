/** `postern account erase-recipient`: erases the text and recipient of closed messages to one number. */
import { eraseRecipient } from '../../records/messages/erase.ts'
import { openMessageCipher, withDatabase } from '../connect.ts'
import type { Result } from '../result.ts'
import { requireAccountId } from './view.ts'

export async function eraseAccountRecipient(clientId: string, number: string): Promise<Result> {
  const { erased, open } = await withDatabase(async (database, config) => {
    await openMessageCipher(database, config)
    const id = await requireAccountId(database, clientId)
    return eraseRecipient(database, id, number)
  })
  const lines = [`${clientId}: text and recipient of ${erased} messages are erased`]
  if (open > 0) lines.push(`${open} messages are still open; run this command again after they are closed`)
  return { json: { clientId, erased, open }, lines }
}
