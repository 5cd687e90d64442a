/** `postern message show`: the timeline of one message. Its text is never shown. */
import { requireMsgKey, showMessage as readMessage } from '../../acts/messages.ts'
import { openMessageCipher, withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { MessageSetting } from '../setting-lists.ts'
import { timelineResult } from './view.ts'

export async function showMessage(
  invocation: Invocation<'cell' | 'retentionDays' | 'queuePrefix' | MessageSetting>,
  msgKey: string,
  options: { readonly reveal?: boolean },
): Promise<Result> {
  requireMsgKey(msgKey)
  return withDatabase(invocation, async (database, config, audit) => {
    await openMessageCipher(database, config, invocation)
    const { rows, events } = await readMessage(database, audit, config, msgKey, options.reveal === true)
    return timelineResult(rows.msgKey, events)
  })
}
