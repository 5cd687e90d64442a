import { ceilingMs } from '../../../platform/time/backoff.ts'

/** Fewer refusals cause no pause: many clients refuse a receipt whose message they do not know. */
const refusalsBeforePause = 3
const pauses = { firstMs: 1_000, maxMs: 30_000 }

/** Pauses deliveries when a client has refused three more than it accepted, as an overloaded client does. */
export class DeliveryThrottle {
  readonly #resume: () => void
  #state: 'flowing' | 'paused' = 'flowing'
  /** Refusals minus acceptances since the last pause, at least 0: a client that throttles mixes both. */
  #excessRefusals = 0
  #pausesInARow = 0

  /** Calls `resume` after every pause. */
  constructor(resume: () => void) {
    this.#resume = resume
  }

  get isPaused(): boolean {
    return this.#state === 'paused'
  }

  noteAcceptance(): void {
    this.#excessRefusals = Math.max(0, this.#excessRefusals - 1)
    if (this.#excessRefusals === 0) this.#pausesInARow = 0
  }

  noteRefusal(): void {
    if (this.#state === 'paused') return
    this.#excessRefusals += 1
    if (this.#excessRefusals < refusalsBeforePause) return
    this.#excessRefusals = 0
    this.#state = 'paused'
    setTimeout(
      () => {
        this.#state = 'flowing'
        this.#resume()
      },
      ceilingMs(this.#pausesInARow++, pauses),
    ).unref()
  }
}
