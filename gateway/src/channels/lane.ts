/**
 * Chooses the lane of a route for a step. Advertisements are bulk, and so is every message of an account that is
 * set to `bulk`. Other steps with a time limit of at most five minutes are urgent; an account can allow only its
 * one-time codes there. The rest takes the lane of the account.
 */
import { isAdvertisement } from './advertisement.ts'
import type { Step } from './channel.ts'
import { isOneTimeCode } from './one-time-code.ts'

/** Listed in the order in which a route serves them. */
export const lanes = ['urgent', 'normal', 'bulk'] as const
export type Lane = (typeof lanes)[number]

/** Lane setting of an account. `codes` is the default behaviour, except that only one-time codes are urgent. */
export const laneSettings = [...lanes, 'codes'] as const
export type LaneSetting = (typeof laneSettings)[number]

/** One-time codes are sent with time limits of 40 seconds to a few minutes. */
const urgentTtlSeconds = 300

export function chooseLane(step: Step, accountLane: LaneSetting | null): Lane {
  if (accountLane === 'bulk' || isAdvertisement(step)) return 'bulk'
  if (step.ttlSeconds !== undefined && step.ttlSeconds <= urgentTtlSeconds)
    return accountLane === 'codes' && !isOneTimeCode(step) ? 'normal' : 'urgent'
  return defaultLane(accountLane)
}

/** Returns the lane of a message whose content is unknown. */
export function defaultLane(accountLane: LaneSetting | null): Lane {
  return accountLane === null || accountLane === 'codes' ? 'normal' : accountLane
}
