/**
 * When a process that cannot read its tables may do work that any process can do: after the others had time for it. It would end steps for
 * which it knows no route, although all others know one; where it is the only process, it works all the same. Used by the outbox.
 */

/** Tables are read every second: after some readings that failed the next ones may fail, too. */
const maxFailingMs = 10_000

export interface LateTurnOptions {
  /** For how long they cannot be read. Not their age: all processes take as long to read a large change. */
  readonly failingMs: () => number
  /** How long the others have for work that was found. */
  readonly headStartMs: number
}

export class LateTurn {
  readonly #options: LateTurnOptions
  #foundAt: number | undefined

  constructor(options: LateTurnOptions) {
    this.#options = options
  }

  get isLate(): boolean {
    return this.#options.failingMs() > maxFailingMs
  }

  /** Whether to begin now. Called regularly; one that is late may begin once, and waits again. */
  mayBegin(hasWork: boolean, now = performance.now()): boolean {
    const foundAt = hasWork && this.isLate ? (this.#foundAt ?? now) : undefined
    const mayBegin = hasWork && (foundAt === undefined || now - foundAt >= this.#options.headStartMs)
    this.#foundAt = mayBegin ? undefined : foundAt
    return mayBegin
  }
}
