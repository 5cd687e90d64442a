/** Accepts the message that one submit_sm or several parts make up, as the send endpoints do. */
import type { Account } from '../accounts/account.ts'
import type { ChannelName } from '../channels/channel.ts'
import { domesticChannelFor } from '../channels/sms/sms.ts'
import { invalidField } from '../contract/problem.ts'
import { checkSendAt } from '../pipeline/accept/query.ts'
import type { Send } from '../pipeline/accept/send.ts'
import { clock } from '../platform/clock.ts'
import { writeRef } from './submit-ref.ts'
import { joinText, timeLimitOf, type SubmitRequest } from './submit-request.ts'

export interface AcceptOptions {
  readonly reservedKey?: string
  /** It was accepted once, or tried: a send time or a validity that has passed since is no error. */
  readonly isAgain?: boolean
}

/** `parts`: the requests that make up the message, in order. Resolves with the msgKey. */
export type AcceptMessage = (
  account: Account,
  parts: readonly SubmitRequest[],
  options: AcceptOptions,
) => Promise<string>

export function createAcceptMessage(send: Pick<Send, 'simple'>): AcceptMessage {
  return async (account, parts, { reservedKey, isAgain = false }) => {
    const [first] = parts as readonly [SubmitRequest]
    const { sender, recipient, reference, sendAt: given } = first
    const now = clock.now()
    const sendAt = isAgain && given !== null && given <= now ? null : given
    const limit = timeLimitOf(first, sendAt, now)
    if (limit !== null && limit < 1 && !isAgain)
      throw invalidField('A304', 'validity_period', 'it ended before the last part came')
    const text = joinText(parts.map(({ body }) => body))
    const registered = parts.map((part) => part.registered)
    const body = {
      from: sender.number,
      to: recipient.number,
      text,
      ref: writeRef({ registered, recipient, sender, reference }),
    }
    const { msgKey } = await send.simple(account, channelOf(recipient.number, text), body, {
      sendAt: sendAt === null ? undefined : checkSendAt(sendAt, 'another time'),
      ttlSeconds: limit === null ? undefined : Math.max(limit, 1),
      reservedKey,
    })
    return msgKey
  }
}

function channelOf(to: string, text: string): ChannelName {
  return to.startsWith('+') ? 'international' : domesticChannelFor(text)
}
