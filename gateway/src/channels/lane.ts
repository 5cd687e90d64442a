/**
 * Which lane of a route a step takes. A step with a time limit of minutes is urgent; an advertisement never is; an
 * account may have its own default lane.
 */
import { isAdvertisement } from './advertisement.ts'
import type { Step } from './channel.ts'

/** In the order in which a route serves them. */
export const lanes = ['urgent', 'normal', 'bulk'] as const
export type Lane = (typeof lanes)[number]

/** One-time codes are sent with time limits of 40 seconds to a few minutes. */
const urgentTtlSeconds = 300

export function laneOf(step: Step, usual: Lane | null): Lane {
  if (usual === 'bulk' || isAdvertisement(step)) return 'bulk'
  if (step.ttlSeconds !== undefined && step.ttlSeconds <= urgentTtlSeconds) return 'urgent'
  return usual ?? 'normal'
}
