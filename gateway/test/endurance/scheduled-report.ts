/** What must hold of scheduled messages. Pure. */
import { few, type ScheduledResult } from './scheduled-steps.ts'

/** A look takes less than a millisecond; on a busy machine some of them take longer. */
const maxLookMs = 5
const maxCodesSeconds = 1

export function judgeScheduled(result: ScheduledResult): string[] {
  const findings: string[] = []
  const mustHold = (holds: boolean, what: string): void => {
    if (!holds) findings.push(what)
  }
  const { laterLookMs, emptyLookMs, beforeCodes, codesSeconds, smallServed } = result
  mustHold(
    laterLookMs < Math.max(maxLookMs, 2 * emptyLookMs),
    `looking for due steps takes ${laterLookMs.toFixed(1)} ms with messages for later, ${emptyLookMs.toFixed(1)} ms without`,
  )
  mustHold(beforeCodes === 0, `${beforeCodes} advertisements left before the one-time codes`)
  mustHold(codesSeconds < maxCodesSeconds, `the one-time codes left after ${codesSeconds.toFixed(1)} s`)
  mustHold(
    smallServed === few,
    `of ${few} advertisements of a small account ${smallServed} left beside ${2 * few} of a large one`,
  )
  return findings
}
