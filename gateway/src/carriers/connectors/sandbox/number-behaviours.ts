/**
 * Outcomes of messages in the sandbox by the last four digits of the recipient. Any other number is delivered. Up to 0019, the
 * digits have the same meaning at the simulated SMSC, except that 0011 delays the response there and the receipt here.
 */
import type { Cause } from '../../../channels/cause.ts'
import type { ChannelName } from '../../../channels/channel.ts'

export interface SandboxBehaviour {
  readonly description: string
  /** Cause of an immediate refusal, instead of a receipt. */
  readonly refused?: Cause
  /** Cause of the receipt; null for no receipt. */
  readonly receipt: Cause | null
  /** A report code that is more specific than the cause, in the channels of its family. */
  readonly reportCode?: string
  readonly delayMs?: number
  /** Applies to rich channels only: every phone supports a text. */
  readonly rich?: true
}

const texts: readonly ChannelName[] = ['sms', 'international']

export const numberBehaviours: Readonly<Record<string, SandboxBehaviour>> = {
  '0001': { description: 'Delivered.', receipt: 'delivered' },
  '0002': { description: 'Failed: no such subscriber.', receipt: 'no-subscriber' },
  '0003': { description: 'Accepted without a receipt: ends at its deadline.', receipt: null },
  '0006': { description: 'Expired at the carrier.', receipt: 'timeout' },
  '0007': { description: 'Blocked as spam.', receipt: 'spam' },
  '0008': { description: 'Refused immediately: wrong number.', refused: 'bad-number', receipt: null },
  '0011': { description: 'Slow: delivered after two seconds.', receipt: 'delivered', delayMs: 2_000 },
  '0016': { description: 'Failed: phone switched off.', receipt: 'phone-off' },
  '0019': { description: 'Failed.', receipt: 'failed' },
  '0023': {
    description: 'The phone does not support the channel; a text is delivered.',
    receipt: 'unsupported',
    rich: true,
  },
  '0024': { description: 'Refused by the recipient.', receipt: 'refused', reportCode: '63020' },
}

export function findNumberBehaviour(recipient: string, channel: ChannelName): SandboxBehaviour {
  const behaviour = numberBehaviours[recipient.slice(-4)] ?? numberBehaviours['0001']!
  return behaviour.rich === true && texts.includes(channel) ? numberBehaviours['0001']! : behaviour
}
