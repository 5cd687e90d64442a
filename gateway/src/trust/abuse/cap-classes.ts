/** Which caps of an account a message counts for, and by how much. Pure. */
import type { Draft, Step } from '../../channels/channel.ts'
import { channels } from '../../channels/registry.ts'
import { countries, countryOf } from '../../channels/country-codes.ts'
import type { CapUse } from './caps.ts'
import type { Cap } from './protection.ts'

/** A channel counts for its price: one class each. */
export function isCapClass(text: string): boolean {
  return text === 'all' || Object.hasOwn(channels, text) || countries.has(text)
}

/**
 * A message counts once for `all` and once for every channel of its flow, whichever of them delivers it. International
 * messages are paid by the part, and count so for their channel and their country.
 */
export function capUsesOf(caps: readonly Cap[], draft: Pick<Draft, 'to' | 'steps'>): CapUse[] {
  if (caps.length === 0) return []
  const uses: CapUse[] = []
  for (const cap of caps) {
    const count = countFor(cap.class, draft)
    if (count > 0) uses.push({ ...cap, count })
  }
  return uses
}

function countFor(name: string, { to, steps }: Pick<Draft, 'to' | 'steps'>): number {
  if (name === 'all') return 1
  const isCountry = !Object.hasOwn(channels, name)
  const step = steps.find(({ channel }) => channel === (isCountry ? 'international' : name))
  if (step === undefined || (isCountry && countryOf(to) !== name)) return 0
  return partsOf(step)
}

function partsOf(step: Step): number {
  return step.channel === 'international' ? channels.international.parts(step, '').length : 1
}
