/** How long the carrier tries to deliver. Pure. */
import type { ExpiryOption } from '../../channels/rcs/limits.ts'

/** Seconds of each option at the carriers, the longest first: a little less than a step waits for its result. */
const carrierSeconds: readonly (readonly [ExpiryOption, number])[] = [
  ['1', 86_400],
  ['4', 3_600],
  ['3', 180],
  ['2', 30],
]

/** Share of an option’s time by which it may outlast the step: a message waits a little before it is submitted. */
const tolerance = 0.1

/** The client’s option, or the longest one below it that ends with the step, whose time limit may be shorter. */
export function expiryOptionOf(asked: ExpiryOption, validUntil: Date, nowMs: number): ExpiryOption {
  const leftSeconds = (validUntil.getTime() - nowMs) / 1_000
  const from = carrierSeconds.findIndex(([option]) => option === asked)
  const fitting = carrierSeconds.slice(from).find(([, seconds]) => seconds * (1 - tolerance) <= leftSeconds)
  return fitting?.[0] ?? '2'
}
