/**
 * What one endpoint worker holds in memory: `PushQueue`, the pushes that are ready to start, and `PushProgress`, the
 * results that are not yet saved. Neither touches a table.
 */
import type { PendingPush, Position } from './pending-push.ts'
import type { DueDelivery, FreshEvent } from './push-source.ts'
import type { FailedDelivery, Progress } from './save-progress.ts'
import type { WebhookSettings } from './webhook.ts'

const maxAtOnce = 200

/** New reports in order and deliveries that are due, and the capacity left for more of each. */
export class PushQueue {
  readonly #progress: PushProgress
  #readSeq: number
  #fresh: PendingPush[] = []
  #due: PendingPush[] = []

  constructor(seq: number, progress: PushProgress) {
    this.#readSeq = seq
    this.#progress = progress
  }

  /** How far the account's reports have been read. */
  get readSeq(): number {
    return this.#readSeq
  }

  get isEmpty(): boolean {
    return this.#fresh.length === 0 && this.#due.length === 0
  }

  freshCapacity({ perSecond, concurrency }: WebhookSettings): number {
    return Math.min(perSecond + concurrency - this.#progress.openPositions, maxAtOnce)
  }

  /** Includes the deliveries already held: a read returns those first. */
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

  /** Nothing up to `seq` is left to push: reports between the last one read and `seq` are too old. */
  skipTo(seq: number): void {
    if (seq <= this.#readSeq) return
    this.#readSeq = seq
    this.#progress.addPosition(seq, true)
  }

  addDue(deliveries: readonly DueDelivery[]): void {
    for (const delivery of deliveries) {
      if (!this.#progress.hold(delivery.eventId)) continue
      const { report, reply, notice } = delivery
      // The report or reply has passed its retention: there is nothing to push.
      if (report === null && reply === null && notice === null) this.#progress.settle(delivery.eventId, null)
      else this.#due.push({ ...delivery, position: null })
    }
  }

  /** Callers alternate `preferDue`, so that neither kind waits behind all of the other. */
  next(preferDue: boolean): PendingPush {
    const dueFirst = this.#due.length > 0 && (this.#fresh.length === 0 || preferDue)
    return (dueFirst ? this.#due.shift() : this.#fresh.shift())!
  }

  /** Drops what has not started; the next owner of the webhook reads it again. */
  clear(): void {
    this.#fresh = []
    this.#due = []
  }
}

/** Positions, failures and settled deliveries since the last save. Taken as a whole; nothing counts until saved. */
export class PushProgress {
  /** Deliveries held: their rows must not be read a second time. */
  readonly #held = new Set<string>()
  /** Saved since due deliveries were last requested: the rows that are returned may predate the save. */
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

  /** Call when due deliveries are requested. */
  startReadingDue(): void {
    this.#savedSinceRead.clear()
  }

  /** False when the delivery is already held, or was saved after the read was requested. */
  hold(eventId: string): boolean {
    if (this.#held.has(eventId) || this.#savedSinceRead.has(eventId)) return false
    this.#held.add(eventId)
    return true
  }

  /** Acknowledged, or nothing is left to push. */
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

  /** Null when nothing has changed. */
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

  /** The save failed: the next `take` returns it again, together with what is added until then. */
  putBack({ failures, settled }: Progress): void {
    this.#failures = [...failures, ...this.#failures]
    this.#settled = [...settled, ...this.#settled]
    this.#changed = true
  }
}
