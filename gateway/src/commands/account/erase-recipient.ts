/** `postern account erase-recipient`. */
import { eraseRecipientOf } from '../../acts/erase-recipient.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { openMessageCipher, withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { MessageSetting } from '../setting-lists.ts'
import { erasedResult } from './credential-view.ts'

export async function eraseAccountRecipient(
  invocation: Invocation<MessageSetting>,
  clientId: string,
  number: string,
): Promise<Result> {
  const done = await withDatabase(invocation, async (database, config, audit) => {
    await openMessageCipher(database, config, invocation)
    const context = { database, audit, encryption: openEncryption(config) }
    return eraseRecipientOf(context, clientId, number)
  })
  return erasedResult(clientId, done)
}
