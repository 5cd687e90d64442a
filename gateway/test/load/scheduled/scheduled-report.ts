import { smallAccountSteps, type ScheduledResult } from './scheduled-steps.ts'

/** A poll takes less than a millisecond; on a busy machine some take longer. */
const maxLookMs = 5
const maxCodesSeconds = 1

export function checkScheduled(result: ScheduledResult): string[] {
  const findings: string[] = []
  const mustHold = (holds: boolean, what: string): void => {
    if (!holds) findings.push(what)
  }
  const {
    laterPollMs: laterLookMs,
    emptyPollMs: emptyLookMs,
    beforeCodes,
    codesSeconds,
    smallServed,
  } = result
  mustHold(
    laterLookMs < Math.max(maxLookMs, 2 * emptyLookMs),
    `polling for due steps takes ${laterLookMs.toFixed(1)} ms with messages for later, ${emptyLookMs.toFixed(1)} ms without`,
  )
  mustHold(beforeCodes === 0, `${beforeCodes} advertisements left before the one-time codes`)
  mustHold(codesSeconds < maxCodesSeconds, `the one-time codes left after ${codesSeconds.toFixed(1)} s`)
  mustHold(
    smallServed === smallAccountSteps,
    `of ${smallAccountSteps} advertisements of a small account ${smallServed} left among ${2 * smallAccountSteps} of a large one`,
  )
  return findings
}
