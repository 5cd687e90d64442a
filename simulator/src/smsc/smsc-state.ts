/**
 * State shared by the sessions: mailboxes, limits, ids, counters and the scheduling of output. Output of one
 * turn of the event loop is one write per session; nothing is sent while paused. Owns the timers; close()
 * leaves none behind.
 */
import { newCounters } from './counters.ts'
import type { Counters } from './counters.ts'
import { IdSource } from './ids.ts'
import { QueryableMessages } from './queryable-messages.ts'
import { newBucket } from '../shared/limits.ts'
import { Mailbox } from './mailbox.ts'
import type { ReceiptReceiver } from './mailbox.ts'
import type { Receipt } from './receipt.ts'
import { SubmissionLog } from './submission-log.ts'
import { ReverseReceipts } from './reverse-receipts.ts'
import type { SmscOptions } from './settings.ts'
import { newMeter } from '../shared/meter.ts'
import { TimerWheel } from '../shared/timer-wheel.ts'

export type BindKind = 'transmitter' | 'receiver' | 'transceiver'

export interface ConnectedSession extends ReceiptReceiver {
  /** `undefined` until the session is bound. */
  readonly kind: BindKind | undefined
  /** Writes the queued output. */
  flush(): void
  /** Removes and returns the unanswered receipts sent before a time, by default all. */
  takeUnanswered(before?: number): Receipt[]
  pause(): void
  resume(): void
  /** Closes the connection immediately. */
  destroy(): void
}

export class SmscState {
  readonly options: SmscOptions
  readonly ids: IdSource
  readonly record: SubmissionLog | undefined
  readonly queryable: QueryableMessages
  readonly sessions = new Set<ConnectedSession>()
  /** Delayed responses, separate from delayed receipts because a reset drops only the latter. */
  readonly responses = new TimerWheel()
  readonly receipts = new TimerWheel()
  readonly reversal = new ReverseReceipts(this.receipts)
  readonly tries = new Map<string, number>()
  readonly meter = newMeter()
  readonly bucket
  counters: Counters = newCounters()
  paused = false
  /** If true, receipts are kept; submits are answered as usual. */
  holding = false
  readonly #mailboxes = new Map<string, Mailbox>()
  readonly #toPump = new Set<Mailbox>()
  readonly #toFlush = new Set<ConnectedSession>()
  readonly #resendTimer: NodeJS.Timeout
  #turn: NodeJS.Immediate | undefined

  constructor(options: SmscOptions) {
    this.options = options
    this.ids = new IdSource(options.seed, options.idStart)
    this.record = options.record ? new SubmissionLog(options.recordLimit) : undefined
    this.queryable = new QueryableMessages(options.recordLimit)
    this.bucket = newBucket(options.rate, Date.now())
    const sweepMs = Math.max(5, Math.min(1000, options.receiptTimeoutMs / 4))
    this.#resendTimer = setInterval(() => this.#resendUnanswered(), sweepMs)
  }

  mailbox(systemId: string): Mailbox {
    let mailbox = this.#mailboxes.get(systemId)
    if (mailbox === undefined) this.#mailboxes.set(systemId, (mailbox = new Mailbox()))
    return mailbox
  }

  /** Queues a new or resent receipt for the end of this turn of the event loop. */
  queueReceipt(receipt: Receipt): void {
    const mailbox = this.mailbox(receipt.message.systemId)
    mailbox.put(receipt)
    this.schedulePump(mailbox)
  }

  schedulePump(mailbox: Mailbox): void {
    this.#toPump.add(mailbox)
    this.#schedule()
  }

  scheduleFlush(session: ConnectedSession): void {
    this.#toFlush.add(session)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#turn === undefined && !this.paused) this.#turn = setImmediate(() => this.#send())
  }

  #send(): void {
    this.#turn = undefined
    if (this.paused) return
    if (!this.holding) {
      for (const mailbox of this.#toPump) mailbox.pump()
      this.#toPump.clear()
    }
    for (const session of this.#toFlush) session.flush()
    this.#toFlush.clear()
    // The output of the pump was just flushed, so its scheduled turn would find nothing.
    clearImmediate(this.#turn)
    this.#turn = undefined
  }

  /** Removes a closed session. Its unanswered receipts go to another session, now or when one binds. */
  removeSession(session: ConnectedSession, systemId: string | undefined): void {
    this.sessions.delete(session)
    this.#toFlush.delete(session)
    if (systemId === undefined) return
    const mailbox = this.mailbox(systemId)
    mailbox.leave(session)
    for (const receipt of session.takeUnanswered()) this.queueReceipt(receipt)
    if (mailbox.isIdle) this.#mailboxes.delete(systemId)
  }

  #resendUnanswered(): void {
    if (this.paused) return
    const before = Date.now() - this.options.receiptTimeoutMs
    for (const session of this.sessions) {
      for (const receipt of session.takeUnanswered(before)) this.queueReceipt(receipt)
    }
  }

  hold(): void {
    this.holding = true
  }

  release(): void {
    this.holding = false
    this.#schedule()
  }

  pause(): void {
    this.paused = true
    for (const session of this.sessions) session.pause()
  }

  resume(): void {
    this.paused = false
    for (const session of this.sessions) session.resume()
    this.#schedule()
  }

  disconnect(): number {
    const { size } = this.sessions
    for (const session of [...this.sessions]) session.destroy()
    return size
  }

  /**
   * Clears messages, pending receipts and counters. Sessions stay bound, and ids continue without repeating.
   */
  reset(): void {
    this.receipts.clear()
    this.reversal.clear()
    this.tries.clear()
    this.record?.clear()
    this.queryable.clear()
    for (const mailbox of this.#mailboxes.values()) mailbox.clear()
    for (const session of this.sessions) session.takeUnanswered()
    this.counters = newCounters()
  }

  close(): void {
    clearInterval(this.#resendTimer)
    for (const session of [...this.sessions]) session.destroy()
    this.responses.clear()
    this.receipts.clear()
    clearImmediate(this.#turn)
    this.paused = true
  }
}
