/**
 * Bounds what clients change, so that they never keep an operator from changing something: an account at a time, two in all, and so many
 * acts a minute. What waits for the receiver of a webhook has places of its own, so that receivers that do not answer keep no other client
 * from changing something. Each act is a row of the audit log, which is kept for ever. What an account reads and which sessions it ends is
 * done one after the other, so that it occupies one connection of those that all clients share, and all accounts together do a bounded
 * number of both; searches are bounded by the minute, too.
 * Counted by this process alone. Used by `add-route.ts`.
 */
import type { OwnAccount } from '../operators/queries.ts'
import { OperationError } from '../acts/errors.ts'
import { maxChanges, maxClientPushes } from './services.ts'
import { RefusalThrottle } from './throttle.ts'

type Owner = Pick<OwnAccount, 'id' | 'clientId'>

/** `push`: a test of a receiver, or its proof. */
export type ClientWork = 'change' | 'push'

/** What waits for its turn instead of being refused: pages read several things at once, and a client can always sign out. */
export type QueuedWork = 'read' | 'sign-out'

interface Places {
  readonly max: number
  readonly what: string
  /** Ids of accounts. */
  readonly taken: Set<number>
}

/** Of each kind, all clients together. What waits for its turn is not counted: few accounts would keep out all others with it. */
export const maxInTurn = 32
const maxActsPerMinute = 30
/**
 * Pages of searches. How many a search takes depends on the messages of all accounts: with many of them one could count those of others.
 * The console reads up to 20 for a search that finds nothing.
 */
const maxSearchesPerMinute = 120

export class ClientBounds {
  readonly #places: Readonly<Record<ClientWork, Places>> = {
    // The other half is for operators.
    change: { max: Math.floor(maxChanges / 2), what: 'change', taken: new Set() },
    push: { max: maxClientPushes, what: 'test or proof of a receiver', taken: new Set() },
  }
  readonly #acts: RefusalThrottle
  readonly #searches = new RefusalThrottle(maxSearchesPerMinute)
  /** The end of the last one in each line. */
  readonly #lines = new Map<string, Promise<unknown>>()
  readonly #running: Record<QueuedWork, number> = { read: 0, 'sign-out': 0 }

  constructor(acts = new RefusalThrottle(maxActsPerMinute)) {
    this.#acts = acts
  }

  /** Throws when the account has done too much in the last minute. */
  count({ id, clientId }: Owner): void {
    const leftMs = this.#acts.take(String(id))
    if (leftMs > 0)
      throw new OperationError(
        'too-many-requests',
        `${maxActsPerMinute} changes of the account ${clientId} were made within a minute; wait`,
        { retryAfterSeconds: Math.ceil(leftMs / 1000) },
      )
  }

  /** Throws when the account has searched too much in the last minute. */
  countSearch({ id, clientId }: Owner): void {
    const leftMs = this.#searches.take(String(id))
    if (leftMs > 0)
      throw new OperationError(
        'too-many-requests',
        `${maxSearchesPerMinute} pages of searches of the account ${clientId} were read within a minute; wait, and narrow the search by a ref or a time`,
        { retryAfterSeconds: Math.ceil(leftMs / 1000) },
      )
  }

  /** Throws when the operator has ended too many sessions in the last minute. By its name: a colleague can still sign out. */
  countSignOut(name: string): void {
    const leftMs = this.#acts.take(`sign-outs of ${name}`)
    if (leftMs > 0)
      throw new OperationError(
        'too-many-requests',
        `${maxActsPerMinute} sessions were ended by ${name} within a minute; wait`,
        { retryAfterSeconds: Math.ceil(leftMs / 1000) },
      )
  }

  /** After what the account has asked for before. The slots of its requests bound how many wait. */
  async inTurn<T>(kind: QueuedWork, { id }: Owner, work: () => Promise<T>): Promise<T> {
    const line = `${kind} ${id}`
    const done = (this.#lines.get(line) ?? Promise.resolve()).then(() => this.#whileRoom(kind, work))
    const end = done.catch(() => undefined)
    this.#lines.set(line, end)
    try {
      return await done
    } finally {
      if (this.#lines.get(line) === end) this.#lines.delete(line)
    }
  }

  async #whileRoom<T>(kind: QueuedWork, work: () => Promise<T>): Promise<T> {
    if (this.#running[kind] >= maxInTurn)
      throw new OperationError('unavailable', 'too many requests are in progress; repeat the request', {
        retryAfterSeconds: 1,
      })
    this.#running[kind] += 1
    try {
      return await work()
    } finally {
      this.#running[kind] -= 1
    }
  }

  async during<T>(kind: ClientWork, { id, clientId }: Owner, work: () => Promise<T>): Promise<T> {
    const { max, what, taken } = this.#places[kind]
    if (taken.has(id))
      throw new OperationError(
        'too-many-requests',
        `another ${what} of the account ${clientId} is in progress; repeat the request`,
        { retryAfterSeconds: 1 },
      )
    if (taken.size >= max)
      throw new OperationError(
        'too-many-requests',
        'other requests of this kind are in progress; repeat the request',
        { retryAfterSeconds: 1 },
      )
    taken.add(id)
    try {
      return await work()
    } finally {
      taken.delete(id)
    }
  }
}
