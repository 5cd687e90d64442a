/**
 * The checks of a send that need more than its own content: which senders the installation allows, which kind a template
 * is of, which files there are. Called for sends and for dry runs, with the steps of one destination.
 */
import type { Step } from '../../channels/channel.ts'
import type { Issues } from '../../channels/issues.ts'

/** The path before the fields of a step. */
export type PlaceOf = (step: Step, index: number) => string

/** A check that finds everything in memory. */
export type CheckInMemory = (steps: readonly Step[], placeOf: PlaceOf, issues: Issues) => void

/** Null when everything was found in memory, as for most messages: they need not wait. */
export type CheckSteps = (
  accountId: number,
  steps: readonly Step[],
  placeOf: PlaceOf,
  issues: Issues,
) => Promise<void> | null

/** Files last: they may have to be read from PostgreSQL. */
export function createCheckSteps(inMemory: readonly CheckInMemory[], checkFiles: CheckSteps): CheckSteps {
  return (accountId, steps, placeOf, issues) => {
    for (const check of inMemory) check(steps, placeOf, issues)
    return issues.isSettled() ? null : checkFiles(accountId, steps, placeOf, issues)
  }
}
