/**
 * Bounds what clients change, so that they never keep an operator from changing something: an account at a time, two in all, and so many
 * acts a minute. Each act is a row of the audit log, which is kept for ever. Counted by this process alone. Used by the server.
 */
import type { OwnAccount } from '../operators/queries.ts'
import { AdminProblem } from './problem.ts'
import { maxChanges } from './services.ts'
import { RefusalThrottle } from './throttle.ts'

/** The other half is for operators. */
const maxChanging = Math.floor(maxChanges / 2)
const maxActsPerMinute = 30

export class ClientBounds {
  readonly #changing = new Set<number>()
  readonly #acts: RefusalThrottle

  constructor(acts = new RefusalThrottle(maxActsPerMinute)) {
    this.#acts = acts
  }

  /** Throws when the account has done too much in the last minute. */
  count({ id, clientId }: OwnAccount): void {
    const leftMs = this.#acts.take(String(id))
    if (leftMs > 0)
      throw new AdminProblem(
        'too-many-requests',
        `${maxActsPerMinute} changes of the account ${clientId} were made within a minute; wait`,
        Math.ceil(leftMs / 1000),
      )
  }

  async during<T>({ id, clientId }: OwnAccount, work: () => Promise<T>): Promise<T> {
    if (this.#changing.has(id))
      throw new AdminProblem(
        'too-many-requests',
        `another change of the account ${clientId} is in progress; repeat the request`,
        1,
      )
    if (this.#changing.size >= maxChanging)
      throw new AdminProblem('too-many-requests', 'other changes are in progress; repeat the request', 1)
    this.#changing.add(id)
    try {
      return await work()
    } finally {
      this.#changing.delete(id)
    }
  }
}
