/**
 * What became of a webhook's pushes and is not durable yet: places in the account's order, failures, and deliveries that
 * are settled. Handed over as a whole; until it is saved, nothing of it counts. Touches no table.
 */
import type { FailedDelivery, Progress } from './positions.ts'

/** A place in the account's order; the cursor passes it once it is done. */
export interface Place {
  readonly seq: number
  done: boolean
}

export class PushProgress {
  /** Deliveries in hand: their rows must not be taken up a second time. */
  readonly #held = new Set<string>()
  /** Saved since due deliveries were last asked for: the answer may show them as they were before. */
  readonly #saved = new Set<string>()
  #seq: number
  #places: Place[] = []
  #failures: FailedDelivery[] = []
  #settled: string[] = []
  #changed = false

  constructor(seq: number) {
    this.#seq = seq
  }

  get placesOpen(): number {
    return this.#places.length
  }

  get heldCount(): number {
    return this.#held.size
  }

  addPlace(seq: number, done = false): Place {
    const place = { seq, done }
    this.#places.push(place)
    if (done) this.#changed = true
    return place
  }

  /** Due deliveries are asked for now. */
  asking(): void {
    this.#saved.clear()
  }

  /** False when it is in hand already, or was until after it was asked for. */
  hold(eventId: string): boolean {
    if (this.#held.has(eventId) || this.#saved.has(eventId)) return false
    this.#held.add(eventId)
    return true
  }

  /** Acknowledged, or nothing is left to push. */
  settle(eventId: string, place: Place | null): void {
    if (place === null) this.#settled.push(eventId)
    else place.done = true
    this.#changed = true
  }

  fail(failure: FailedDelivery, place: Place | null): void {
    this.#failures.push(failure)
    if (place !== null) place.done = true
    this.#changed = true
  }

  /** Null when nothing has changed. */
  take(): Pick<Progress, 'seq' | 'failures' | 'settled'> | null {
    if (!this.#changed) return null
    this.#changed = false
    const undone = this.#places.findIndex(({ done }) => !done)
    const passed = this.#places.splice(0, undone === -1 ? this.#places.length : undone)
    this.#seq = passed.at(-1)?.seq ?? this.#seq
    const progress = { seq: this.#seq, failures: this.#failures, settled: this.#settled }
    this.#failures = []
    this.#settled = []
    return progress
  }

  saved({ failures, settled }: Progress): void {
    for (const { eventId } of failures) this.#release(eventId)
    for (const eventId of settled) this.#release(eventId)
  }

  #release(eventId: string): void {
    if (this.#held.delete(eventId)) this.#saved.add(eventId)
  }

  /** The database was away: it is handed over again, together with what comes until then. */
  notSaved({ failures, settled }: Progress): void {
    this.#failures = [...failures, ...this.#failures]
    this.#settled = [...settled, ...this.#settled]
    this.#changed = true
  }
}
