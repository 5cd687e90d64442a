/** Tracks the submissions of a link that have no outcome yet: limits them to the window, and lets a stop wait for them. */
import { settleOrTimeout } from '../../platform/time/settle-or-timeout.ts'
import type { SubmitOutcome } from './connector.ts'

/** Minimum time that a stop grants to open requests. */
const minStopMs = 500
/** Time for remaining work after the requests have ended, such as reading a file or storing a result. */
const lastMs = 200

export class OpenSubmissions {
  readonly #open = new Set<Promise<unknown>>()
  readonly #down: SubmitOutcome
  readonly #full: SubmitOutcome
  readonly #window: number

  constructor(kind: string, window: number) {
    this.#down = { kind: 'unreachable', code: `${kind}:link`, text: 'the link is down' }
    this.#full = { kind: 'unreachable', code: `${kind}:window`, text: 'the window is full' }
    this.#window = window
  }

  /** Outcome while the link is down: certainly not accepted. */
  get down(): SubmitOutcome {
    return this.#down
  }

  submit(isLinked: boolean, send: () => Promise<SubmitOutcome>): Promise<SubmitOutcome> {
    if (!isLinked) return Promise.resolve(this.#down)
    if (this.#open.size >= this.#window) return Promise.resolve(this.#full)
    const work = send()
    this.#open.add(work)
    const remove = (): boolean => this.#open.delete(work)
    // The wrapper of the registry converts an error to an outcome; without this handler it would be an unhandled rejection.
    work.then(remove, remove)
    return work
  }

  /**
   * Waits for open submissions and for `other` work, for the shorter of both limits but at least `minStopMs`. Then calls
   * `disconnect`, which ends their requests, and waits up to `lastMs` more for the rest.
   */
  async drain(
    {
      limitMs = Infinity,
      stopTimeoutMs,
    }: { readonly limitMs?: number | undefined; readonly stopTimeoutMs: number },
    disconnect: () => void,
    other?: Promise<unknown>,
  ): Promise<void> {
    const drainMs = Math.max(minStopMs, Math.min(limitMs, stopTimeoutMs))
    await settleOrTimeout(drainMs, Promise.allSettled([...this.#open, other]))
    disconnect()
    await settleOrTimeout(lastMs, Promise.allSettled(this.#open))
  }
}
