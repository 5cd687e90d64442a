import { smallAccountSteps, type ScheduledResult } from './scheduled-steps.ts'

/** A poll takes less than a millisecond; on a busy machine some take longer. */
const maxPollMs = 5
const maxCodesSeconds = 1

export function checkScheduled(result: ScheduledResult): string[] {
  const findings: string[] = []
  const mustHold = (holds: boolean, finding: string): void => {
    if (!holds) findings.push(finding)
  }
  const { laterPollMs, emptyPollMs, beforeCodes, codesSeconds, smallServed } = result
  mustHold(
    laterPollMs < Math.max(maxPollMs, 2 * emptyPollMs),
    `polling for due steps takes ${laterPollMs.toFixed(1)} ms with messages for later, ${emptyPollMs.toFixed(1)} ms without`,
  )
  mustHold(beforeCodes === 0, `${beforeCodes} advertisements left before the one-time codes`)
  mustHold(codesSeconds < maxCodesSeconds, `the one-time codes left after ${codesSeconds.toFixed(1)} s`)
  mustHold(
    smallServed === smallAccountSteps,
    `of ${smallAccountSteps} advertisements of a small account ${smallServed} left among ${2 * smallAccountSteps} of a large one`,
  )
  return findings
}
