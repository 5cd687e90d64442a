/**
 * Which lane of a route a step takes. A step with a time limit of minutes is urgent; an advertisement never is; an
 * account may have its own default lane.
 */
import type { Step } from './channel.ts'
import { adFlagOf } from './kakao/advertisement.ts'

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

/** Korean law requires a text advertisement to begin with this word; RCS and Kakao have a field for it. */
const advertisementMark = /^\s*\(\s*광고\s*\)/

export function isAdvertisement(step: Step): boolean {
  if ('text' in step) return advertisementMark.test(step.text)
  if (step.channel === 'friendtalk' || step.channel === 'brandmessage') return adFlagOf(step.content) === 'Y'
  const { text, title, header } = step.content as Record<string, unknown>
  if (step.channel === 'rcs') return header === '1'
  return [title, text].some((line) => typeof line === 'string' && advertisementMark.test(line))
}
