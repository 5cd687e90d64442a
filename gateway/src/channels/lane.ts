/**
 * Chooses the lane of a route for a step. A step with a time limit of minutes is urgent; an advertisement
 * never is. An account can have its own default lane, or allow only one-time codes in the urgent lane.
 */
import { isAdvertisement } from './advertisement.ts'
import type { Step } from './channel.ts'
import { isOneTimeCode } from './one-time-code.ts'

/** Listed in the order in which a route serves them. */
export const lanes = ['urgent', 'normal', 'bulk'] as const
export type Lane = (typeof lanes)[number]

/** Lane setting of an account. `codes`: as by default, but only one-time codes are urgent. */
export const laneSettings = [...lanes, 'codes'] as const
export type LaneSetting = (typeof laneSettings)[number]

/** One-time codes are sent with time limits of 40 seconds to a few minutes. */
const urgentTtlSeconds = 300

export function chooseLane(step: Step, usual: LaneSetting | null): Lane {
  if (usual === 'bulk' || isAdvertisement(step)) return 'bulk'
  if (step.ttlSeconds !== undefined && step.ttlSeconds <= urgentTtlSeconds)
    return usual === 'codes' && !isOneTimeCode(step) ? 'normal' : 'urgent'
  return defaultLane(usual)
}

/** Returns the lane of a message whose content is unknown. */
export function defaultLane(usual: LaneSetting | null): Lane {
  return usual === null || usual === 'codes' ? 'normal' : usual
}
