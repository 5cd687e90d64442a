/**
 * Collects the issues that the checks of a request find. One set of checks serves both callers: a send throws
 * the first issue, a dry run returns all. A check adds an issue and continues, so it must not depend on a
 * value that it has rejected.
 */
import { FieldProblem, type Problem } from '../contract/problem.ts'

/** Keeps responses small; further issues are only counted. */
export const maxIssues = 100

/**
 * A client's own field names can make a path as long as the body; hidden paths are searched up to this
 * length.
 */
const maxHiddenPath = 1_000

/** Fields with the same meaning in every kind of message. */
const independentFields: ReadonlySet<string> = new Set([
  'to',
  'ref',
  'from',
  'senderKey',
  'originCID',
  'fallback',
])

export interface CheckOptions {
  /** Paths that earlier checks could not check. */
  readonly hidden?: readonly string[]
  /** Whether the account sends plain equivalents of characters that carriers cannot encode. */
  readonly smartEncoding?: boolean
}

export class Issues {
  readonly #mode: 'first' | 'all'
  readonly smartEncoding: boolean
  readonly #problems: Problem[] = []
  /** Created on demand: most requests have no issue and hide nothing. */
  #hidden: Set<string> | null = null
  #omitted = 0
  /** Fields that already have an issue, while `oncePerField` runs. */
  #reported: Set<string> | null = null

  constructor(mode: 'first' | 'all', { hidden = [], smartEncoding = false }: CheckOptions = {}) {
    this.#mode = mode
    this.smartEncoding = smartEncoding
    if (hidden.length > 0) this.#hidden = new Set(hidden)
  }

  get first(): Problem | undefined {
    return this.#problems[0]
  }

  get all(): readonly Problem[] {
    return this.#problems
  }

  /** The number of issues beyond `maxIssues`. */
  get omitted(): number {
    return this.#omitted
  }

  /** Paths that cannot be checked, in the form of the `hides` argument of `add`. */
  get hidden(): readonly string[] {
    return this.#hidden === null ? [] : [...this.#hidden]
  }

  /**
   * Returns whether only the first issue matters and it has been found. Loops and lookups stop then, so an
   * invalid send costs no more than a valid one.
   */
  isSettled(): boolean {
    return this.#mode === 'first' && this.#problems.length > 0
  }

  /**
   * `hides` is a path that cannot be checked because of the problem: a path for the field and everything
   * within it, or a path that ends with a dot (or '') for the other fields of its object. Later issues of
   * hidden fields are dropped: that a value of the wrong type is also too short adds nothing.
   */
  add(problem: Problem, hides?: string): void {
    if (this.isSettled() || this.#isRepeated(problem)) return
    // A problem that hides fields concerns the shape and is always reported.
    if (hides !== undefined) (this.#hidden ??= new Set()).add(hides)
    else if (problem instanceof FieldProblem && this.#isHidden(problem.field)) return
    if (this.#problems.length < maxIssues) this.#problems.push(problem)
    else this.#omitted++
  }

  /**
   * Runs checks that partly repeat each other: keeps the first issue of each field, and none of the fields in
   * `except`.
   */
  oncePerField<T>(except: readonly string[], check: () => T): T {
    const outer = this.#reported
    this.#reported = new Set(except)
    try {
      return check()
    } finally {
      this.#reported = outer
    }
  }

  throwFirst(): void {
    if (this.first !== undefined) throw this.first
  }

  #isRepeated(problem: Problem): boolean {
    if (this.#reported === null || !(problem instanceof FieldProblem)) return false
    if (this.#reported.has(problem.field)) return true
    this.#reported.add(problem.field)
    return false
  }

  /**
   * Looks up each path prefix that can cover the field. A request can hide thousands of paths and have as
   * many issues, so scanning the hidden paths for each issue would be quadratic.
   */
  #isHidden(field: string): boolean {
    const hidden = this.#hidden
    if (hidden === null) return false
    if (hidden.has(field) || hidesOthers(hidden, '', field)) return true
    for (const { index } of field.slice(0, maxHiddenPath).matchAll(/[.[]/g)) {
      if (hidden.has(field.slice(0, index))) return true
      if (field[index] === '.' && hidesOthers(hidden, field.slice(0, index + 1), field)) return true
    }
    return false
  }
}

/** `object` is '' or a path that ends with a dot. */
function hidesOthers(hidden: ReadonlySet<string>, object: string, field: string): boolean {
  return hidden.has(object) && !independentFields.has(/^[^.[]*/.exec(field.slice(object.length))![0])
}

/** Throws the first issue of the checks. `check` returns null only after it has added an issue. */
export function requireValid<T>(
  check: (issues: Issues) => T | null,
  options?: Pick<CheckOptions, 'smartEncoding'>,
): T {
  const issues = new Issues('first', options)
  const result = check(issues)
  issues.throwFirst()
  return result as T
}
