/**
 * The checks of a send that need more than its own content: which kind a template is of, what the rules of trust say of
 * it, which files there are. Called for sends and for dry runs, with the draft of one destination.
 */
import type { Draft, Step } from '../../channels/channel.ts'
import type { Issues } from '../../channels/issues.ts'
import type { RuleEffect } from '../../trust/rule-group.ts'

/** The path before the fields of a step. */
export type PlaceOf = (step: Step, index: number) => string

/** A check that finds everything in memory. */
export type CheckInMemory = (accountId: number, draft: CheckedDraft, placeOf: PlaceOf, issues: Issues) => void

export type CheckedDraft = Pick<Draft, 'to' | 'steps' | 'sendAt' | 'heldBy'> & {
  /** Present in a dry run: what rules of trust will do with the accepted message. */
  readonly effects?: RuleEffect[]
}

/** Null when everything was found in memory, as for most messages: they need not wait. */
export type CheckSteps = (
  accountId: number,
  draft: CheckedDraft,
  placeOf: PlaceOf,
  issues: Issues,
) => Promise<void> | null

/** Files last: they may have to be read from PostgreSQL. */
export function createCheckSteps(inMemory: readonly CheckInMemory[], checkFiles: CheckSteps): CheckSteps {
  return (accountId, draft, placeOf, issues) => {
    for (const check of inMemory) check(accountId, draft, placeOf, issues)
    return issues.isSettled() ? null : checkFiles(accountId, draft, placeOf, issues)
  }
}
