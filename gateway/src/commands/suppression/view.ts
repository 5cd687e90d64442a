/** What the commands of `postern suppression` print, over either way. Pure. */
import type { ChoiceState } from '../../trust/suppression/choice.ts'
import { timeText, type Result } from '../result.ts'

export function changedResult(numbers: number, changed: number, state: ChoiceState): Result {
  return {
    json: { numbers, changed },
    lines: [
      `${numbers} numbers, ${changed} changed to ${state}; running processes follow within two seconds`,
    ],
  }
}

export function importedResult(
  numbers: number,
  { changed, kept }: { readonly changed: number; readonly kept: number },
  state: ChoiceState,
): Result {
  const { lines } = changedResult(numbers, changed, state)
  const others = `${kept} kept, because of what was entered later; look at one with \`postern suppression show\``
  return { json: { numbers, changed, kept }, lines: kept === 0 ? lines : [...lines, others] }
}

export interface ShownChoice {
  readonly state: string
  readonly night: boolean
  readonly since: Date | string | null
  readonly source: string | null
  readonly reason: string | null
}

export interface ShownRecipient extends ShownChoice {
  readonly index: string | null
  readonly history: readonly (ShownChoice & { readonly endedAt: Date | string })[]
}

export function recipientResult(shown: ShownRecipient): Result {
  const { index, history } = shown
  return {
    json: shown,
    lines: [
      shown.since === null ? 'nothing is known of the recipient' : describe(shown),
      ...history.map((former) => `until ${timeText(former.endedAt)}: ${describe(former)}`),
      ...(index === null ? [] : [`in the audit log the recipient is ${index}`]),
    ],
  }
}

function describe({ state, night, since, source, reason }: ShownChoice): string {
  const words = state === 'none' ? 'taken back' : state
  const why = reason === null || reason === '' ? '' : `: ${reason}`
  return `${words}${night ? ', at night too' : ''} since ${since === null ? '' : timeText(since)} by ${source ?? ''}${why}`
}
