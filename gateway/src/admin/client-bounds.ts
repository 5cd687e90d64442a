/**
 * Bounds what clients change, so that they never keep an operator from changing something: an account at a time, two in all, and so many
 * acts a minute. What waits for the receiver of a webhook has places of its own, so that receivers that do not answer keep no other client
 * from changing something. Each act is a row of the audit log, which is kept for ever. Counted by this process alone. Used by `add-route.ts`.
 */
import type { OwnAccount } from '../operators/queries.ts'
import { AdminProblem } from './problem.ts'
import { maxChanges, maxClientPushes } from './services.ts'
import { RefusalThrottle } from './throttle.ts'

type Owner = Pick<OwnAccount, 'id' | 'clientId'>

/** `push`: a test of a receiver, or its proof. */
export type ClientWork = 'change' | 'push'

interface Places {
  readonly max: number
  readonly what: string
  /** Ids of accounts. */
  readonly taken: Set<number>
}

const maxActsPerMinute = 30

export class ClientBounds {
  readonly #places: Readonly<Record<ClientWork, Places>> = {
    // The other half is for operators.
    change: { max: Math.floor(maxChanges / 2), what: 'change', taken: new Set() },
    push: { max: maxClientPushes, what: 'test or proof of a receiver', taken: new Set() },
  }
  readonly #acts: RefusalThrottle

  constructor(acts = new RefusalThrottle(maxActsPerMinute)) {
    this.#acts = acts
  }

  /** Throws when the account has done too much in the last minute. */
  count({ id, clientId }: Owner): void {
    const leftMs = this.#acts.take(String(id))
    if (leftMs > 0)
      throw new AdminProblem(
        'too-many-requests',
        `${maxActsPerMinute} changes of the account ${clientId} were made within a minute; wait`,
        Math.ceil(leftMs / 1000),
      )
  }

  async during<T>(kind: ClientWork, { id, clientId }: Owner, work: () => Promise<T>): Promise<T> {
    const { max, what, taken } = this.#places[kind]
    if (taken.has(id))
      throw new AdminProblem(
        'too-many-requests',
        `another ${what} of the account ${clientId} is in progress; repeat the request`,
        1,
      )
    if (taken.size >= max)
      throw new AdminProblem(
        'too-many-requests',
        'other requests of this kind are in progress; repeat the request',
        1,
      )
    taken.add(id)
    try {
      return await work()
    } finally {
      taken.delete(id)
    }
  }
}
