/** `postern account erase-recipient`. */
import { eraseRecipientOf } from '../../acts/erase-recipient.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { openMessageCipher, withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { MessageSetting } from '../setting-lists.ts'

export async function eraseAccountRecipient(
  invocation: Invocation<MessageSetting | 'cell'>,
  clientId: string,
  number: string,
): Promise<Result> {
  const done = await withDatabase(invocation, async (database, config, audit) => {
    await openMessageCipher(database, config, invocation)
    const context = { database, audit, encryption: openEncryption(config), cell: config.cell }
    return eraseRecipientOf(context, clientId, number)
  })
  const { erased, open, files, replies, parked } = done
  const lines = [`${clientId}: text and recipient of ${erased} messages are erased`]
  if (files > 0) lines.push(`${files} images that only these messages used are deleted within an hour`)
  if (replies > 0) lines.push(`${replies} replies of the number are deleted`)
  if (open > 0) lines.push(`${open} messages are still open; run this command again after they are closed`)
  if (parked.length > 0)
    lines.push(
      `parked jobs name the number: ${parked.join(', ')}; retry or drop them (\`postern parked\`), then run this command again`,
    )
  return { json: { clientId, erased, open, files, replies, parked }, lines }
}
