/** Submissions of a link that have no outcome yet: no more than its window, and a stop waits for them. Used by connectors. */
import { settlesWithin } from '../platform/settles-within.ts'
import type { SubmitOutcome } from './connector.ts'

/** What a stop grants to open requests at least. */
const minStopMs = 500
/** For what is left when the requests have ended: a file that is still being read, a result that cannot be stored. */
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

  /** Certainly not accepted: what is not sent because the link is down. */
  get down(): SubmitOutcome {
    return this.#down
  }

  submit(isLinked: boolean, send: () => Promise<SubmitOutcome>): Promise<SubmitOutcome> {
    if (!isLinked) return Promise.resolve(this.#down)
    if (this.#open.size >= this.#window) return Promise.resolve(this.#full)
    const work = send()
    this.#open.add(work)
    const remove = (): boolean => this.#open.delete(work)
    // An error in the connector is an outcome, which `bounds.ts` gives; it must not be one without a handler here.
    work.then(remove, remove)
    return work
  }

  /**
   * Waits for them, and for `other` work; then `disconnect` ends their requests, and what is left gets a moment. No longer
   * than both limits, but half a second at least.
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
    await settlesWithin(drainMs, Promise.allSettled([...this.#open, other]))
    disconnect()
    await settlesWithin(lastMs, Promise.allSettled(this.#open))
  }
}
