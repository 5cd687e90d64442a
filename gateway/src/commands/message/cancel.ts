/** `postern message cancel`: ends a message that waits for its scheduled time. */
import { cancelMessage as cancel, requireMsgKey } from '../../acts/messages.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { cancelledResult } from './view.ts'

export async function cancelMessage(
  invocation: Invocation<'cell' | 'retentionDays' | 'queuePrefix'>,
  msgKey: string,
): Promise<Result> {
  requireMsgKey(msgKey)
  await withDatabase(invocation, (database, config, audit) => cancel(database, audit, config, msgKey))
  return cancelledResult(msgKey)
}
