/**
 * Lists the queues that do not confirm although the broker is connected: the leader of such a queue is on a
 * hanging node, or the queue has no majority. A queue is listed from its first late confirm on, so that
 * callers wait for it once and not with every publish. It is removed when it confirms an empty group
 * promptly; it is probed immediately when the connection is restored or no longer blocked.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { settleOrTimeout } from '../time/settle-or-timeout.ts'

/** A queue that confirms later than this would hold up the callers again. */
const promptMs = 2_000
/** The time after which another empty group is published if one was lost. */
const pauseMs = 2_000

/** Called when a queue stops confirming, and when it confirms again. */
export type OnUnconfirmedChange = (queue: string, silent: boolean) => void

export class UnconfirmedQueues {
  readonly #publishEmpty: (queue: string) => Promise<void>
  readonly #onChange: OnUnconfirmedChange
  readonly #silent = new Set<string>()
  readonly #closing = new AbortController()
  #retry = Promise.withResolvers<undefined>()

  /** `publishEmpty` publishes a group without jobs, which consumers ignore, and resolves with the confirm. */
  constructor(publishEmpty: (queue: string) => Promise<void>, onChange: OnUnconfirmedChange) {
    this.#publishEmpty = publishEmpty
    this.#onChange = onChange
  }

  has(queue: string): boolean {
    return this.#silent.has(queue)
  }

  /** Adds a queue that has not confirmed in time. */
  add(queue: string): void {
    if (this.#silent.has(queue) || this.#closing.signal.aborted) return
    this.#silent.add(queue)
    this.#onChange(queue, true)
    void this.#probe(queue)
  }

  /** Probes immediately, because the broker accepts messages again. */
  retryNow(): void {
    this.#retry.resolve(undefined)
    this.#retry = Promise.withResolvers()
  }

  close(): void {
    this.#closing.abort()
  }

  async #probe(queue: string): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      const pause = delay(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
      const next = Promise.race([pause, this.#retry.promise])
      const confirmed = this.#publishEmpty(queue)
      if (await isFulfilled(promptMs, confirmed)) break
      // After a late confirm the next empty group follows immediately: the queue may be prompt again.
      await Promise.race([next, confirmed.catch(() => next)])
    }
    this.#silent.delete(queue)
    if (!signal.aborted) this.#onChange(queue, false)
  }
}

async function isFulfilled(withinMs: number, promise: Promise<void>): Promise<boolean> {
  let fulfilled = false
  const settled = promise.then(
    () => (fulfilled = true),
    () => undefined,
  )
  await settleOrTimeout(withinMs, settled)
  return fulfilled
}
