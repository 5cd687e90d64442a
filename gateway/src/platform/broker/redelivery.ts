/**
 * Finds a message that crashes its process, so that it does not crash one worker after another. Only
 * redelivered messages are marked, so a crash during the first delivery is not counted. Only marks of crashed
 * processes count: a lost connection, an orderly stop and a failed handler leave none.
 *
 * A mark covers the first moments of processing: a message that crashes its process does so when its job is
 * read or begins. A process that is killed therefore marks only the messages that it has just begun.
 *
 * - 0 crashes: the message is processed normally, with a mark from the second delivery on.
 * - 1 crash: it is processed after a hold and one at a time, so that no other message is marked for its
 * crash.
 * - 2 crashes: it is parked, if its queue has a parked queue.
 */
import { hash, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { QueueSpec } from './queue-spec.ts'

/** Two processes crashed while they processed the message. Permanent: the message is parked. */
export class ProcessCrashes extends Error {
  override readonly name = 'ProcessCrashes'
  /** Part of the reason of the parked entry. */
  readonly code = 'two processes crashed while they processed this job; correct the cause before a retry'
}

export interface RedeliveryGuardOptions {
  /** Without Redis no crash is counted, and every message is processed normally. */
  readonly redis: Redis | undefined
  readonly keyPrefix: string
  /** Tests set it higher. */
  readonly suspectMs?: number
}

/**
 * Within this time a process that lost its connection removes its mark, and a process that crashes at startup
 * has crashed.
 */
const holdMs = 2_000
/**
 * A process that survives a message for this long is not crashed by it. Suspects are processed at this
 * interval.
 */
const defaultSuspectMs = 200
const maxCrashes = 2
/** Marks of a message that was parked or purged expire. */
const lifetimeSeconds = 3_600

/** All consumers of a process share one guard. */
export class RedeliveryGuard {
  readonly #options: RedeliveryGuardOptions
  readonly #processId = randomUUID()
  readonly #suspectMs: number
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: RedeliveryGuardOptions) {
    this.#options = options
    this.#suspectMs = options.suspectMs ?? defaultSuspectMs
  }

  /**
   * Processes a redelivered message. `signal` is aborted when the process returns the message to the queue.
   */
  async run(
    queue: QueueSpec,
    body: Buffer,
    signal: AbortSignal,
    process: () => Promise<void>,
  ): Promise<void> {
    const key = `${this.#options.keyPrefix}begun:${queue.name}:${hash('sha256', body, 'hex')}`
    if ((await this.#mark(key)) === 0) return this.#runMarked(key, signal, process)
    await this.#unmark(key)
    await delay(holdMs, undefined, { signal })
    return this.#takeTurn(async () => {
      const crashes = await this.#mark(key)
      if (crashes >= maxCrashes && queue.parkedIn !== undefined) {
        await this.#unmark(key)
        throw new ProcessCrashes('two processes crashed while they processed this job')
      }
      return this.#runMarked(key, signal, process)
    })
  }

  async #runMarked(key: string, signal: AbortSignal, process: () => Promise<void>): Promise<void> {
    const giveBack = (): void => void this.#unmark(key)
    signal.addEventListener('abort', giveBack, { once: true })
    if (signal.aborted) giveBack()
    const survived = setTimeout(giveBack, this.#suspectMs).unref()
    try {
      await process()
      await this.#deleteMarks(key)
    } catch (error) {
      await this.#unmark(key)
      throw error
    } finally {
      clearTimeout(survived)
      signal.removeEventListener('abort', giveBack)
    }
  }

  #takeTurn(process: () => Promise<void>): Promise<void> {
    const previous = this.#turn
    const running = previous.then(process)
    const limit = previous.then(() => delay(this.#suspectMs, undefined, { ref: false }))
    this.#turn = Promise.race([running.catch(() => undefined), limit])
    return running
  }

  /** Marks the message as begun by this process. Returns how many other processes left their mark on it. */
  async #mark(key: string): Promise<number> {
    const id = this.#processId
    const results = await this.#options.redis
      ?.multi()
      .sadd(key, id)
      .expire(key, lifetimeSeconds)
      .scard(key)
      .exec()
      .catch(() => undefined)
    return Number(results?.[2]?.[1] ?? 1) - 1
  }

  async #unmark(key: string): Promise<void> {
    await this.#options.redis?.srem(key, this.#processId).catch(() => undefined)
  }

  /** Deletes the marks of a message that is done. */
  async #deleteMarks(key: string): Promise<void> {
    await this.#options.redis?.del(key).catch(() => undefined)
  }
}
