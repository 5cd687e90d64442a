import type { Account } from '../../../identity/accounts/account.ts'
import type { ChannelName } from '../../../channels/channel.ts'
import { domesticChannelFor } from '../../../channels/sms/sms.ts'
import { invalidField } from '../../../contract/problem.ts'
import type { ReservedMessage } from '../../../pipeline/accept/accept.ts'
import { checkSendAt } from '../../../pipeline/accept/query.ts'
import type { Send } from '../../../pipeline/accept/send.ts'
import { clock } from '../../../platform/time/clock.ts'
import { formatSubmitRef } from '../delivery/submit-ref.ts'
import { joinText, computeTimeLimit, type SubmitRequest } from './submit-request.ts'

export interface AcceptOptions {
  readonly reserved?: ReservedMessage
  /** Set if acceptance was attempted before: a send time or validity that has passed since is no error. */
  readonly isRepeated?: boolean
}

/**
 * Accepts the message of one submit_sm, or of several parts in order, as the send endpoints do. Resolves with
 * the msgKey.
 */
export type AcceptMessage = (
  account: Account,
  parts: readonly SubmitRequest[],
  options: AcceptOptions,
) => Promise<string>

export function createAcceptMessage(send: Pick<Send, 'simple'>): AcceptMessage {
  return async (account, parts, { reserved, isRepeated = false }) => {
    const [first] = parts as readonly [SubmitRequest]
    const { sender, recipient, reference, sendAt: given } = first
    const now = clock.now()
    const sendAt = isRepeated && given !== null && given <= now ? null : given
    const limit = computeTimeLimit(first, sendAt, now)
    if (limit !== null && limit < 1 && !isRepeated)
      throw invalidField('A304', 'validity_period', 'expired before the last part arrived')
    const text = joinText(parts.map(({ body }) => body))
    const registered = parts.map((part) => part.registered)
    const body = {
      from: sender.number,
      to: recipient.number,
      text,
      ref: formatSubmitRef({ registered, recipient, sender, reference }),
    }
    const { msgKey } = await send.simple(account, selectChannel(recipient.number, text), body, {
      sendAt: sendAt === null ? undefined : checkSendAt(sendAt, 'another time'),
      ttlSeconds: limit === null ? undefined : Math.max(limit, 1),
      reserved,
    })
    return msgKey
  }
}

function selectChannel(to: string, text: string): ChannelName {
  return to.startsWith('+') ? 'international' : domesticChannelFor(text)
}
