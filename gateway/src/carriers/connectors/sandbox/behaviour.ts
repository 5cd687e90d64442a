/**
 * Behaviour of the simulated carrier of a sandbox route: by the number of the recipient, or the same for all messages. It is an
 * option of the route, so that all its owners behave alike and a change takes effect within seconds.
 */
import { Type, type Static } from 'typebox'
import { causes, type Cause } from '../../../channels/cause.ts'
import type { ChannelName } from '../../../channels/channel.ts'
import { closed, integer } from '../options/options.ts'
import { findNumberBehaviour, numberBehaviours, type SandboxBehaviour } from './number-behaviours.ts'

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

const nonCarrierCauses: readonly Cause[] = [
  'delivered',
  'no-route',
  'cancelled',
  'account-stopped',
  'suppressed',
  'cap',
  'advertisement-form',
  'outcome-unknown',
]
/** Causes for which a carrier fails or refuses messages. */
export const carrierCauses: readonly Cause[] = causes.filter((cause) => !nonCarrierCauses.includes(cause))

export const behaviourField = Type.Enum([...behaviours], {
  description:
    'Outcome of every message. by-number: by the last four digits of the recipient; slow: delivered after delaySeconds; failed: by a receipt; refused: immediately; no-receipt: accepted, without a receipt; throttled: the carrier throttles the route; unreachable: the link is down.',
  default: 'by-number',
})
export const causeField = Type.Enum([...carrierCauses], {
  title: 'a cause',
  description: 'Cause with which messages fail or are refused.',
  default: 'failed',
})
export const delayField = integer('Seconds until the receipt of a slow carrier.', 10, 1, 600)

export const SandboxOptionsSchema = Type.Object(
  { behaviour: behaviourField, cause: causeField, delaySeconds: delayField },
  { ...closed, description: 'Behaviour of the simulated carrier. All options are optional.' },
)
export type SandboxOptions = Static<typeof SandboxOptionsSchema>

export const standardOptions: SandboxOptions = { behaviour: 'by-number', cause: 'failed', delaySeconds: 10 }

/** Returns the outcome of a message to the recipient over a link that is up. */
export function selectSandboxBehaviour(
  { behaviour, cause, delaySeconds }: SandboxOptions,
  recipient: string,
  channel: ChannelName,
): SandboxBehaviour | 'throttled' {
  switch (behaviour) {
    case 'by-number':
    case 'unreachable':
      return findNumberBehaviour(recipient, channel)
    case 'delivered':
      return numberBehaviours['0001']!
    case 'slow':
      return { description: 'Slow.', receipt: 'delivered', delayMs: delaySeconds * 1_000 }
    case 'failed':
      return { description: 'Failed, as set for the route.', receipt: cause }
    case 'refused':
      return { description: 'Refused, as set for the route.', refused: cause, receipt: null }
    case 'no-receipt':
      return numberBehaviours['0003']!
    case 'throttled':
      return 'throttled'
  }
}
