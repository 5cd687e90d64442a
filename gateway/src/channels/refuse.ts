/**
 * Where a check says that something is wrong. One set of rules serves both who wants to hear of the first problem and
 * who wants to hear of all: a check goes on after it has refused, so it must not build on what it refused.
 */
import { FieldProblem, type Problem } from '../contract/problem.ts'

/**
 * `hides` is a place that cannot be judged because of the problem: a path for the field and all within it, a path that
 * ends with a dot (or '') for what else its object holds.
 */
export type Refuse = (problem: Problem, hides?: string) => void

/** For sends: the first problem ends it. */
export const throwProblem: Refuse = (problem) => {
  throw problem
}

/** Of each field the first word counts: for checks that partly repeat each other. Nothing is said of `but`. */
export function oncePerField(refuse: Refuse, ...but: readonly string[]): Refuse {
  const named = new Set(but)
  return (problem, hides) => {
    if (problem instanceof FieldProblem) {
      if (named.has(problem.field)) return
      named.add(problem.field)
    }
    refuse(problem, hides)
  }
}
