/** Slows deliveries down while a client refuses several in a row, as an overloaded client does. */
import { ceilingMs } from '../platform/backoff.ts'

/** Fewer concern single messages: many clients refuse a receipt whose message they do not know. */
const refusalsBeforePause = 3
const pauses = { firstMs: 1_000, maxMs: 30_000 }

export class DeliveryPace {
  readonly #resume: () => void
  #state: 'flowing' | 'paused' = 'flowing'
  #refusalsInARow = 0
  #pausesInARow = 0

  /** `resume` is called after every pause. */
  constructor(resume: () => void) {
    this.#resume = resume
  }

  get isPaused(): boolean {
    return this.#state === 'paused'
  }

  noteAcceptance(): void {
    this.#refusalsInARow = 0
    this.#pausesInARow = 0
  }

  noteRefusal(): void {
    if (this.#state === 'paused') return
    this.#refusalsInARow += 1
    if (this.#refusalsInARow < refusalsBeforePause) return
    this.#refusalsInARow = 0
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
