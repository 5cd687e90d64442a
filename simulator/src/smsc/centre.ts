/**
 * The SMSC's state shared by its sessions: mailboxes, limits, ids, counters, and the turn that sends.
 * Promises that everything written during one turn of the event loop leaves in one write a session, and that
 * nothing leaves while paused. Owns the timers; close() leaves none behind.
 */
import type { ConnectedSession } from './connected-session.ts'
import { newCounters, newMeter } from './counters.ts'
import type { Counters } from './counters.ts'
import { IdSource } from './ids.ts'
import { newBucket } from './limits.ts'
import { Mailbox } from './mailbox.ts'
import type { Receipt } from './receipt.ts'
import { SubmissionRecord } from './record.ts'
import { Reversal } from './reversal.ts'
import type { SmscOptions } from './settings.ts'
import { Wheel } from './wheel.ts'

export class Centre {
  readonly options: SmscOptions
  readonly ids: IdSource
  readonly record: SubmissionRecord | undefined
  readonly sessions = new Set<ConnectedSession>()
  /** Delayed responses and delayed receipts are apart: a reset drops only the latter. */
  readonly responses = new Wheel()
  readonly receipts = new Wheel()
  readonly reversal = new Reversal(this.receipts)
  readonly tries = new Map<string, number>()
  readonly meter = newMeter()
  readonly bucket
  counters: Counters = newCounters()
  paused = false
  readonly #mailboxes = new Map<string, Mailbox>()
  readonly #stirred = new Set<Mailbox>()
  readonly #dirty = new Set<ConnectedSession>()
  readonly #sweeper: NodeJS.Timeout
  #turn: NodeJS.Immediate | undefined

  constructor(options: SmscOptions) {
    this.options = options
    this.ids = new IdSource(options.seed, options.idStart)
    this.record = options.record ? new SubmissionRecord(options.recordLimit) : undefined
    this.bucket = newBucket(options.rate, Date.now())
    const sweepMs = Math.max(5, Math.min(1000, options.receiptTimeoutMs / 4))
    this.#sweeper = setInterval(() => this.#sweep(), sweepMs)
  }

  mailbox(systemId: string): Mailbox {
    let mailbox = this.#mailboxes.get(systemId)
    if (mailbox === undefined) this.#mailboxes.set(systemId, (mailbox = new Mailbox()))
    return mailbox
  }

  /** Queues a receipt, new or to be sent again, to leave at the end of this turn. */
  put(receipt: Receipt): void {
    const mailbox = this.mailbox(receipt.taken.systemId)
    mailbox.put(receipt)
    this.stir(mailbox)
  }

  stir(mailbox: Mailbox): void {
    this.#stirred.add(mailbox)
    this.#schedule()
  }

  touch(session: ConnectedSession): void {
    this.#dirty.add(session)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#turn === undefined && !this.paused) this.#turn = setImmediate(() => this.#send())
  }

  #send(): void {
    this.#turn = undefined
    if (this.paused) return
    for (const mailbox of this.#stirred) mailbox.pump()
    this.#stirred.clear()
    for (const session of this.#dirty) session.flush()
    this.#dirty.clear()
    // What the pump wrote has just been flushed: the turn it asked for would find nothing.
    clearImmediate(this.#turn)
    this.#turn = undefined
  }

  /** A session is gone: what it had not had answered goes to another, now or when one binds. */
  part(session: ConnectedSession, systemId: string | undefined): void {
    this.sessions.delete(session)
    this.#dirty.delete(session)
    if (systemId === undefined) return
    const mailbox = this.mailbox(systemId)
    mailbox.leave(session)
    for (const receipt of session.surrender()) this.put(receipt)
    if (mailbox.isIdle) this.#mailboxes.delete(systemId)
  }

  #sweep(): void {
    if (this.paused) return
    const before = Date.now() - this.options.receiptTimeoutMs
    for (const session of this.sessions) {
      for (const receipt of session.surrender(before)) this.put(receipt)
    }
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
    for (const session of [...this.sessions]) session.cut()
    return size
  }

  /** Forgets messages, receipts owed and counts. Sessions stay bound; ids go on, so none comes twice. */
  reset(): void {
    this.receipts.clear()
    this.reversal.clear()
    this.tries.clear()
    this.record?.clear()
    for (const mailbox of this.#mailboxes.values()) mailbox.clear()
    for (const session of this.sessions) session.surrender()
    this.counters = newCounters()
  }

  close(): void {
    clearInterval(this.#sweeper)
    for (const session of [...this.sessions]) session.cut()
    this.responses.clear()
    this.receipts.clear()
    clearImmediate(this.#turn)
    this.paused = true
  }
}
