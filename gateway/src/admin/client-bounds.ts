/**
 * Limits what clients do, so that they never keep operators from changing something. An account runs one
 * change at a time, and all clients together half of the changes. Changes, searches and sign-outs per minute
 * are limited: each change adds a row to the audit log, which is kept forever. Requests that wait for a
 * webhook receiver have separate slots, so an unresponsive receiver does not block changes of other clients.
 * Reads and sign-outs of an account run one after the other, so that it occupies one of the connections that
 * all clients share. Counters are per process.
 */
import type { OwnAccount } from '../identity/operators/queries.ts'
import { OperationError } from '../operations/errors.ts'
import { maxChanges, maxClientPushes } from '../operations/services.ts'
import { RefusalThrottle } from '../operations/throttle.ts'

type ClientAccount = Pick<OwnAccount, 'id' | 'clientId'>

/** `push` is a test or verification of a receiver. */
export type ClientWork = 'change' | 'push'

/**
 * Work that waits for its turn instead of being refused: pages read several things in parallel, and a client
 * can always sign out.
 */
export type QueuedWork = 'read' | 'sign-out'

interface SlotLimit {
  readonly max: number
  readonly workName: string
  /** IDs of accounts with work in progress. */
  readonly busy: Set<number>
}

/**
 * Maximum running at a time per kind, over all clients. Waiting work does not count; otherwise a few accounts
 * could keep out all others.
 */
export const maxInTurn = 32
const maxChangesPerMinute = 30
/**
 * Pages of searches. How many pages a search takes depends on the messages of all accounts, so unlimited
 * searches would reveal the traffic of others. The console reads up to 20 pages for a search without a match.
 */
const maxSearchesPerMinute = 120

export class ClientBounds {
  readonly #limits: Readonly<Record<ClientWork, SlotLimit>> = {
    // The other half is for operators.
    change: { max: Math.floor(maxChanges / 2), workName: 'change', busy: new Set() },
    push: { max: maxClientPushes, workName: 'test or proof of a receiver', busy: new Set() },
  }
  readonly #changes: RefusalThrottle
  readonly #searches = new RefusalThrottle(maxSearchesPerMinute)
  /** The last queued work of each queue. */
  readonly #queues = new Map<string, Promise<unknown>>()
  readonly #running: Record<QueuedWork, number> = { read: 0, 'sign-out': 0 }

  constructor(changes = new RefusalThrottle(maxChangesPerMinute)) {
    this.#changes = changes
  }

  /** Throws if the account made too many changes and recorded reads in the last minute. */
  count({ id, clientId }: ClientAccount): void {
    const leftMs = this.#changes.tryReserve(String(id))
    if (leftMs > 0)
      throw new OperationError(
        'too-many-requests',
        `too many changes or recorded reads by account '${clientId}': at most ${maxChangesPerMinute} per minute`,
        { retryAfterSeconds: Math.ceil(leftMs / 1000) },
      )
  }

  /** Throws if the account searched too often in the last minute. */
  countSearch({ id, clientId }: ClientAccount): void {
    const leftMs = this.#searches.tryReserve(String(id))
    if (leftMs > 0)
      throw new OperationError(
        'too-many-requests',
        `too many searches by account '${clientId}': at most ${maxSearchesPerMinute} pages per minute; narrow the search by a ref or a time`,
        { retryAfterSeconds: Math.ceil(leftMs / 1000) },
      )
  }

  /**
   * Throws if the operator ended too many sessions in the last minute. Counted by name, so that a colleague
   * can still sign out.
   */
  countSignOut(name: string): void {
    const leftMs = this.#changes.tryReserve(`sign-outs of ${name}`)
    if (leftMs > 0)
      throw new OperationError(
        'too-many-requests',
        `too many sessions ended by operator '${name}': at most ${maxChangesPerMinute} per minute`,
        { retryAfterSeconds: Math.ceil(leftMs / 1000) },
      )
  }

  /** Runs `work` after earlier work of the account. The request slots of the account limit how much waits. */
  async inTurn<T>(kind: QueuedWork, { id }: ClientAccount, work: () => Promise<T>): Promise<T> {
    const queueName = `${kind} ${id}`
    const done = (this.#queues.get(queueName) ?? Promise.resolve()).then(() => this.#whileRoom(kind, work))
    const end = done.catch(() => undefined)
    this.#queues.set(queueName, end)
    try {
      return await done
    } finally {
      if (this.#queues.get(queueName) === end) this.#queues.delete(queueName)
    }
  }

  async #whileRoom<T>(kind: QueuedWork, work: () => Promise<T>): Promise<T> {
    if (this.#running[kind] >= maxInTurn)
      throw new OperationError('unavailable', 'too many requests are in progress; retry', {
        retryAfterSeconds: 1,
      })
    this.#running[kind] += 1
    try {
      return await work()
    } finally {
      this.#running[kind] -= 1
    }
  }

  async during<T>(kind: ClientWork, { id, clientId }: ClientAccount, work: () => Promise<T>): Promise<T> {
    const { max, workName, busy } = this.#limits[kind]
    if (busy.has(id))
      throw new OperationError(
        'too-many-requests',
        `another ${workName} of account '${clientId}' is in progress; retry`,
        { retryAfterSeconds: 1 },
      )
    if (busy.size >= max)
      throw new OperationError('too-many-requests', 'other requests of this kind are in progress; retry', {
        retryAfterSeconds: 1,
      })
    busy.add(id)
    try {
      return await work()
    } finally {
      busy.delete(id)
    }
  }
}
