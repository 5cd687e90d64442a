/**
 * Which queues do not confirm although the broker is connected: the leader of such a queue is on a node that hangs, or the
 * queue has no majority. They are known here from the first confirm that is late, so that callers wait for it once and not
 * with every publish. A queue is in use again when it confirms an empty group promptly; it is asked at once when the
 * connection is back or no longer blocked. Each change is reported, for the log and the metric of the operator. Used by
 * the publisher.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { settlesWithin } from '../settles-within.ts'

/** A queue that confirms later than this would hold up the callers again. */
const promptMs = 2_000
/** An empty group that was lost is followed by another one after this long, and then after twice the time up to the limit. */
const firstPauseMs = 1_000
const maxPauseMs = 5_000

/** Called when a queue has stopped to confirm, and when it confirms again. */
export type OnSilence = (queue: string, silent: boolean) => void

export class SilentQueues {
  readonly #publishEmpty: (queue: string) => Promise<void>
  readonly #onChange: OnSilence
  readonly #silent = new Set<string>()
  readonly #closing = new AbortController()
  #retry = Promise.withResolvers<undefined>()

  /** `publishEmpty`: publishes a group without jobs, which no consumer does anything with; resolves with the confirm. */
  constructor(publishEmpty: (queue: string) => Promise<void>, onChange: OnSilence) {
    this.#publishEmpty = publishEmpty
    this.#onChange = onChange
  }

  has(queue: string): boolean {
    return this.#silent.has(queue)
  }

  /** The queue has not confirmed in time. */
  add(queue: string): void {
    if (this.#silent.has(queue) || this.#closing.signal.aborted) return
    this.#silent.add(queue)
    this.#onChange(queue, true)
    void this.#probe(queue)
  }

  /** The broker accepts messages again: what it left unconfirmed before says nothing of its queues now. */
  retryNow(): void {
    this.#retry.resolve(undefined)
    this.#retry = Promise.withResolvers()
  }

  close(): void {
    this.#closing.abort()
  }

  async #probe(queue: string): Promise<void> {
    const { signal } = this.#closing
    for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(maxPauseMs, pauseMs * 2)) {
      const pause = delay(pauseMs, undefined, { signal, ref: false }).catch(() => undefined)
      const next = Promise.race([pause, this.#retry.promise])
      const confirmed = this.#publishEmpty(queue)
      // Not confirmed promptly, it is waited for: when the queue works again, this is how it shows.
      if (await isFulfilled(promptMs, confirmed)) break
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
  await settlesWithin(withinMs, settled)
  return fulfilled
}
