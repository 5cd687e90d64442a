/**
 * Gathers every problem of a request instead of the first. What cannot be judged because of another problem is left
 * out: nobody wants to read that a text of a wrong type is also too short.
 */
import type { Refuse } from '../../channels/refuse.ts'
import { FieldProblem, type Problem } from '../../contract/problem.ts'

export interface Collector {
  readonly refuse: Refuse
  readonly problems: readonly Problem[]
  /** How many more there were. */
  readonly omitted: number
  /** Places that cannot be judged, as `Refuse` names them. */
  readonly hidden: readonly string[]
}

/** Nobody reads more at once, and an answer must stay small. */
export const maxProblems = 100

/** Fields that mean the same whatever kind of message they are in. */
const steady: ReadonlySet<string> = new Set(['to', 'ref', 'from', 'senderKey', 'originCID', 'fallback'])

/** `hidden` are the places that were found before. */
export function collectProblems(hiddenBefore: readonly string[] = []): Collector {
  const problems: Problem[] = []
  const hidden = [...hiddenBefore]
  let omitted = 0
  return {
    problems,
    hidden,
    get omitted() {
      return omitted
    },
    refuse(problem, hides) {
      if (hides !== undefined) hidden.push(hides)
      // What hides something is about the shape itself, which is certain.
      else if (problem instanceof FieldProblem && hidden.some((place) => covers(place, problem.field))) return
      if (problems.length < maxProblems) problems.push(problem)
      else omitted++
    },
  }
}

function covers(place: string, field: string): boolean {
  if (place === '' || place.endsWith('.')) {
    if (!field.startsWith(place)) return false
    return !steady.has(/^[^.[]*/.exec(field.slice(place.length))![0])
  }
  return field === place || field.startsWith(`${place}.`) || field.startsWith(`${place}[`)
}
