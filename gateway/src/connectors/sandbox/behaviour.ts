/**
 * What the carrier of a sandbox route does with the next messages: by the number of the recipient, or the same with all of them. An option
 * of the route, so that every owner of it behaves alike, and a change takes effect within seconds.
 */
import { Type, type Static } from 'typebox'
import { causes, type Cause } from '../../channels/cause.ts'
import type { ChannelName } from '../../channels/channel.ts'
import { closed, integer } from '../options.ts'
import { endingOf, endings, type Ending } from './endings.ts'

export const behaviours = [
  'by-number',
  'delivered',
  'slow',
  'failed',
  'refused',
  'no-receipt',
  'throttled',
  'unreachable',
] as const
export type Behaviour = (typeof behaviours)[number]

const ownCauses: readonly Cause[] = [
  ...([
    'delivered',
    'no-route',
    'cancelled',
    'account-stopped',
    'suppressed',
    'cap',
    'advertisement-form',
    'outcome-unknown',
  ] as const),
]
/** Why a carrier may fail or refuse a message. */
export const carrierCauses: readonly Cause[] = causes.filter((cause) => !ownCauses.includes(cause))

export const behaviourField = Type.Enum([...behaviours], {
  description:
    'What becomes of every message. by-number: the last four digits of the recipient decide; slow: delivered after delaySeconds; failed: by a receipt; refused: at once; no-receipt: accepted, and no receipt ever comes; throttled: told to send less; unreachable: the link is down.',
  default: 'by-number',
})
export const causeField = Type.Enum([...carrierCauses], {
  title: 'a cause',
  description: 'Why messages fail or are refused.',
  default: 'failed',
})
export const delayField = integer('Seconds until the receipt of a slow carrier.', 10, 1, 600)

export const Options = Type.Object(
  { behaviour: behaviourField, cause: causeField, delaySeconds: delayField },
  { ...closed, description: 'How the carrier behaves; all may be left out.' },
)
export type SandboxOptions = Static<typeof Options>

export const standardOptions: SandboxOptions = { behaviour: 'by-number', cause: 'failed', delaySeconds: 10 }

/** What becomes of a message to the recipient over a link that is up. */
export function answerOf(
  { behaviour, cause, delaySeconds }: SandboxOptions,
  recipient: string,
  channel: ChannelName,
): Ending | 'throttled' {
  switch (behaviour) {
    case 'by-number':
    case 'unreachable':
      return endingOf(recipient, channel)
    case 'delivered':
      return endings['0001']!
    case 'slow':
      return { what: 'Slow.', receipt: 'delivered', delayMs: delaySeconds * 1_000 }
    case 'failed':
      return { what: 'Failed, as the route is set.', receipt: cause }
    case 'refused':
      return { what: 'Refused, as the route is set.', refused: cause, receipt: null }
    case 'no-receipt':
      return endings['0003']!
    case 'throttled':
      return 'throttled'
  }
}
