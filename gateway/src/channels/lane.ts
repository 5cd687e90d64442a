/**
 * Which lane of a route a step takes. A step with a time limit of minutes is urgent; an advertisement never is; an
 * account may have its own default lane, or be limited to one-time codes in the urgent one.
 */
import { isAdvertisement } from './advertisement.ts'
import type { Step } from './channel.ts'
import { isOneTimeCode } from './one-time-code.ts'

/** In the order in which a route serves them. */
export const lanes = ['urgent', 'normal', 'bulk'] as const
export type Lane = (typeof lanes)[number]

/** What an operator may set for an account. `codes`: by kind, and only one-time codes are urgent. */
export const usualLanes = [...lanes, 'codes'] as const
export type UsualLane = (typeof usualLanes)[number]

/** One-time codes are sent with time limits of 40 seconds to a few minutes. */
const urgentTtlSeconds = 300

export function laneOf(step: Step, usual: UsualLane | null): Lane {
  if (usual === 'bulk' || isAdvertisement(step)) return 'bulk'
  if (step.ttlSeconds !== undefined && step.ttlSeconds <= urgentTtlSeconds)
    return usual === 'codes' && !isOneTimeCode(step) ? 'normal' : 'urgent'
  return laneWithoutStep(usual)
}

/** Of a message whose content is not known. */
export function laneWithoutStep(usual: UsualLane | null): Lane {
  return usual === null || usual === 'codes' ? 'normal' : usual
}
