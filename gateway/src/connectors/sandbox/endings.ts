/**
 * The outcome of a message in the sandbox, by the last four digits of its recipient. Any other number is delivered. The
 * simulated SMSC uses the same digits with the same meaning.
 */
import type { Cause } from '../../channels/cause.ts'
import type { ChannelName } from '../../channels/channel.ts'

export interface Ending {
  readonly what: string
  /** Refused at once instead of by a receipt. */
  readonly refused?: Cause
  /** The receipt; none when null. */
  readonly receipt: Cause | null
  /** Says more than the cause, in the channels of its family. */
  readonly reportCode?: string
  readonly delayMs?: number
  /** Of rich channels only: every phone shows a text. */
  readonly rich?: true
}

const texts: readonly ChannelName[] = ['sms', 'international']

export const endings: Readonly<Record<string, Ending>> = {
  '0001': { what: 'Delivered.', receipt: 'delivered' },
  '0002': { what: 'Failed: no such subscriber.', receipt: 'no-subscriber' },
  '0003': { what: 'Accepted, and never a receipt: ends at its deadline.', receipt: null },
  '0006': { what: 'Expired at the carrier.', receipt: 'timeout' },
  '0007': { what: 'Blocked as spam.', receipt: 'spam' },
  '0008': { what: 'Refused at once: wrong number.', refused: 'bad-number', receipt: null },
  '0011': { what: 'Slow: delivered after two seconds.', receipt: 'delivered', delayMs: 2_000 },
  '0016': { what: 'Failed: phone switched off.', receipt: 'phone-off' },
  '0019': { what: 'Failed.', receipt: 'failed' },
  '0023': {
    what: 'The phone does not support the channel; a text is delivered.',
    ...{ receipt: 'unsupported', rich: true },
  },
  '0024': { what: 'Refused by the recipient.', receipt: 'refused', reportCode: '63020' },
}

export function endingOf(recipient: string, channel: ChannelName): Ending {
  const ending = endings[recipient.slice(-4)] ?? endings['0001']!
  return ending.rich === true && texts.includes(channel) ? endings['0001']! : ending
}
