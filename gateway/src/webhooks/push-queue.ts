/**
 * What one webhook has in hand to be pushed: new reports in order and deliveries that are due, how much more of each it has room
 * for, and how far in the account's order it has read. Reads and writes no table.
 */
import { reportEventId } from './body.ts'
import type { PendingPush } from './pending-push.ts'
import type { DueDelivery, FreshReport } from './source.ts'
import type { PushProgress } from './push-progress.ts'
import type { WebhookSettings } from './webhook.ts'

const maxAtOnce = 200

export class PushQueue {
  readonly #unsaved: PushProgress
  #readSeq: number
  #fresh: PendingPush[] = []
  #due: PendingPush[] = []

  constructor(seq: number, unsaved: PushProgress) {
    this.#readSeq = seq
    this.#unsaved = unsaved
  }

  get readSeq(): number {
    return this.#readSeq
  }

  get isEmpty(): boolean {
    return this.#fresh.length === 0 && this.#due.length === 0
  }

  roomForFresh({ perSecond, concurrency }: WebhookSettings): number {
    return Math.min(perSecond + concurrency - this.#unsaved.placesOpen, maxAtOnce)
  }

  /** Those in hand included: they come first when they are read. */
  roomForDue({ concurrency }: WebhookSettings): number {
    const room = concurrency * 2 - this.#due.length
    return room <= 0 ? 0 : room + this.#unsaved.heldCount
  }

  addFresh(reports: readonly FreshReport[]): void {
    for (const report of reports) {
      const place = this.#unsaved.addPlace(report.seq)
      this.#readSeq = report.seq
      const { createdAt } = report
      const eventId = reportEventId(report.msgKey, report.step)
      this.#fresh.push({ eventId, tries: 0, createdAt, notice: null, report, place })
    }
  }

  /** There is nothing to be pushed up to here that it does not have: what lies between is too old. */
  skipTo(seq: number): void {
    if (seq <= this.#readSeq) return
    this.#readSeq = seq
    this.#unsaved.addPlace(seq, true)
  }

  addDue(deliveries: readonly DueDelivery[]): void {
    for (const delivery of deliveries) {
      if (!this.#unsaved.hold(delivery.eventId)) continue
      // A report that is no longer kept can be pushed to nobody.
      if (delivery.report === null && delivery.notice === null) this.#unsaved.settle(delivery.eventId, null)
      else this.#due.push({ ...delivery, place: null })
    }
  }

  /** Neither kind waits behind all of the other. */
  next(preferDue: boolean): PendingPush {
    const dueFirst = this.#due.length > 0 && (this.#fresh.length === 0 || preferDue)
    return (dueFirst ? this.#due.shift() : this.#fresh.shift())!
  }

  /** What is not under way is left to whoever comes next. */
  clear(): void {
    this.#fresh = []
    this.#due = []
  }
}
