import type { PendingPush, Position } from './pending-push.ts'
import type { DueDelivery, FreshEvent } from './push-source.ts'
import type { FailedDelivery } from '../queries.ts'
import type { Progress } from './save-progress.ts'
import type { WebhookSettings } from '../webhook.ts'

const maxFreshPerRead = 200

/**
 * Pushes that are ready to start: new reports in order and due deliveries, and the capacity for more of each.
 */
export class PushQueue {
  readonly #progress: PushProgress
  #readSeq: number
  #fresh: PendingPush[] = []
  #due: PendingPush[] = []

  constructor(seq: number, progress: PushProgress) {
    this.#readSeq = seq
    this.#progress = progress
  }

  /** Position up to which the account's reports have been read. */
  get readSeq(): number {
    return this.#readSeq
  }

  get isEmpty(): boolean {
    return this.#fresh.length === 0 && this.#due.length === 0
  }

  freshCapacity({ perSecond, concurrency }: WebhookSettings): number {
    return Math.min(perSecond + concurrency - this.#progress.openPositions, maxFreshPerRead)
  }

  /** Includes the deliveries already held, because a read returns those first. */
  dueCapacity({ concurrency }: WebhookSettings): number {
    const capacity = concurrency * 2 - this.#due.length
    return capacity <= 0 ? 0 : capacity + this.#progress.heldCount
  }

  addFresh(events: readonly FreshEvent[]): void {
    for (const { seq, eventId, createdAt, report, reply } of events) {
      const position = this.#progress.addPosition(seq)
      this.#readSeq = seq
      this.#fresh.push({ eventId, tries: 0, createdAt, notice: null, report, reply, position })
    }
  }

  /** Skips to `seq`: reports between the last one read and `seq` are too old to be pushed. */
  skipTo(seq: number): void {
    if (seq <= this.#readSeq) return
    this.#readSeq = seq
    this.#progress.addPosition(seq, true)
  }

  addDue(deliveries: readonly DueDelivery[]): void {
    for (const delivery of deliveries) {
      if (!this.#progress.hold(delivery.eventId)) continue
      const { report, reply, notice } = delivery
      // The report or reply has passed its retention, so there is nothing to push.
      if (report === null && reply === null && notice === null) this.#progress.settle(delivery.eventId, null)
      else this.#due.push({ ...delivery, position: null })
    }
  }

  /** Returns the next push. Callers alternate `preferDue`, so neither kind waits behind all of the other. */
  next(preferDue: boolean): PendingPush {
    const dueFirst = this.#due.length > 0 && (this.#fresh.length === 0 || preferDue)
    return (dueFirst ? this.#due.shift() : this.#fresh.shift())!
  }

  /** Drops pushes that have not started; the next owner of the webhook reads them again. */
  clear(): void {
    this.#fresh = []
    this.#due = []
  }
}

/**
 * Positions, failures and settled deliveries since the last save. They are taken as a whole and count only
 * once saved.
 */
export class PushProgress {
  /** Ids of held deliveries; their rows must not be read again. */
  readonly #held = new Set<string>()
  /** Ids saved since due deliveries were last requested; the returned rows may predate the save. */
  readonly #savedSinceRead = new Set<string>()
  #seq: number
  #positions: Position[] = []
  #failures: FailedDelivery[] = []
  #settled: string[] = []
  #changed = false

  constructor(seq: number) {
    this.#seq = seq
  }

  get openPositions(): number {
    return this.#positions.length
  }

  get heldCount(): number {
    return this.#held.size
  }

  addPosition(seq: number, done = false): Position {
    const position = { seq, done }
    this.#positions.push(position)
    if (done) this.#changed = true
    return position
  }

  /** Must be called when due deliveries are requested. */
  startReadingDue(): void {
    this.#savedSinceRead.clear()
  }

  /** Returns false if the delivery is already held, or was saved after the read was requested. */
  hold(eventId: string): boolean {
    if (this.#held.has(eventId) || this.#savedSinceRead.has(eventId)) return false
    this.#held.add(eventId)
    return true
  }

  /** Marks a push as acknowledged or obsolete. */
  settle(eventId: string, position: Position | null): void {
    if (position === null) this.#settled.push(eventId)
    else position.done = true
    this.#changed = true
  }

  fail(failure: FailedDelivery, position: Position | null): void {
    this.#failures.push(failure)
    if (position !== null) position.done = true
    this.#changed = true
  }

  /** Returns the results since the last call, or null if nothing has changed. */
  take(): Pick<Progress, 'seq' | 'failures' | 'settled'> | null {
    if (!this.#changed) return null
    this.#changed = false
    const undone = this.#positions.findIndex(({ done }) => !done)
    const passed = this.#positions.splice(0, undone === -1 ? this.#positions.length : undone)
    this.#seq = passed.at(-1)?.seq ?? this.#seq
    const progress = { seq: this.#seq, failures: this.#failures, settled: this.#settled }
    this.#failures = []
    this.#settled = []
    return progress
  }

  markSaved({ failures, settled }: Progress): void {
    for (const { eventId } of failures) this.#release(eventId)
    for (const eventId of settled) this.#release(eventId)
  }

  #release(eventId: string): void {
    if (this.#held.delete(eventId)) this.#savedSinceRead.add(eventId)
  }

  /** Restores results whose save failed: the next `take` returns them with those added since. */
  putBack({ failures, settled }: Progress): void {
    this.#failures = [...failures, ...this.#failures]
    this.#settled = [...settled, ...this.#settled]
    this.#changed = true
  }
}
