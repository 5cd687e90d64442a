import { setTimeout as pause } from 'node:timers/promises'
import { ceilingMs } from '../../../platform/time/backoff.ts'
import type { Log } from '../../../platform/logging/log.ts'
import { statuses } from '../../../carriers/smpp/status.ts'
import type { SubmissionResult } from '../../../carriers/smpp/window.ts'
import { sizeOf, type DeliveryBudget } from './delivery-budget.ts'
import { DeliveryThrottle } from './delivery-throttle.ts'
import { FeedProgress, type OpenItem } from './feed-progress.ts'
import type { FeedItem, FeedSource, PendingPdu } from './feed-source.ts'
import type { DeliverBody } from './receipt.ts'

export interface Receiver {
  readonly free: number
  readonly delivering: number
  deliver(body: DeliverBody, settle: (answer: SubmissionResult) => void): void
}

export type DeliveryResult = 'acknowledged' | 'refused' | 'repeated'

export interface DeliveryFeedContext {
  readonly source: FeedSource
  /** Returns the binds of the account that can receive this kind. */
  readonly receivers: () => readonly Receiver[]
  readonly onResult: (result: DeliveryResult) => void
  /** Budget shared with the other feeds of the process. */
  readonly budget: DeliveryBudget
  readonly log: Log
}

/** Maximum items in memory, acknowledged or not. */
const maxItems = 500
const readLimit = 200
/** While the budget of the process is used up, a feed reads only up to this number of items in memory. */
const spareItems = 20
const errorPauseMs = 1_000
const retries = { firstMs: 500, maxMs: 30_000 }

/**
 * Statuses with which the client may accept the same delivery later. Every other status except ESME_ROK is a
 * permanent refusal.
 */
const temporaryStatuses: ReadonlySet<number> = new Set([
  statuses.ESME_RSYSERR,
  statuses.ESME_RMSGQFUL,
  statuses.ESME_RTHROTTLED,
  statuses.ESME_RX_T_APPN,
])

interface Queued extends PendingPdu {
  readonly item: OpenItem
  readonly bytes: number
  timeouts: number
  /** Number of temporary refusals outside pauses. */
  refusals: number
  /** Number of the client's responses before the first delivery. */
  answersBefore: number | null
  acceptancesBefore: number | null
}

/**
 * Delivers the PDUs of an account in order, over any of its binds that has room; repetitions may come later. The
 * position passes an item only after each of its PDUs was acknowledged with status 0, stored for a later retry or,
 * as a reply, abandoned. PDUs that a lost bind had not acknowledged are delivered again over another bind, or by the
 * next process: nothing is lost, but duplicates occur.
 */
export class DeliveryFeed {
  readonly #context: DeliveryFeedContext
  readonly #stopping = new AbortController()
  readonly #progress: FeedProgress
  readonly #throttle = new DeliveryThrottle(() => this.pump())
  readonly #queue: Queued[] = []
  /** Memory of deliveries that are not done. */
  #bytes = 0
  #answers = 0
  #acceptances = 0
  #pumping = false
  #wake: () => void = () => undefined
  readonly #running: Promise<void>

  constructor(context: DeliveryFeedContext) {
    this.#context = context
    this.#progress = new FeedProgress((seq) => context.source.save(seq))
    this.#running = this.#run()
  }

  /** Delivers to binds that have room. */
  pump(): void {
    if (this.#pumping) return
    this.#pumping = true
    try {
      while (this.#queue.length > 0 && !this.#throttle.isPaused && !this.#stopping.signal.aborted) {
        const receiver = this.#choose()
        if (receiver === null) return
        this.#deliver(receiver, this.#queue.shift()!)
      }
    } finally {
      this.#pumping = false
    }
  }

  /** Saves the position. Deliveries that are not acknowledged by now are repeated by the next process. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wake()
    await this.#running
    await this.#progress.stop()
    this.#context.budget.release(this.#bytes)
    this.#bytes = 0
  }

  /**
   * Returns the bind with the fewest deliveries in progress. Each bind keeps one slot of its window for
   * stored receipts, unless the window has only one.
   */
  #choose(): Receiver | null {
    let leastBusy: Receiver | null = null
    for (const receiver of this.#context.receivers())
      if (hasRoom(receiver) && (leastBusy === null || receiver.delivering < leastBusy.delivering))
        leastBusy = receiver
    return leastBusy
  }

  #deliver(receiver: Receiver, queued: Queued): void {
    queued.answersBefore ??= this.#answers
    queued.acceptancesBefore ??= this.#acceptances
    try {
      receiver.deliver(queued.body, (answer) => this.#settle(queued, answer))
    } catch (error) {
      this.#context.log.error(
        { err: error as Error },
        'a receipt or reply cannot be written as a deliver_sm; a receipt is stored and tried again, a reply is abandoned',
      )
      this.#store(queued)
    }
  }

  #settle(queued: Queued, answer: SubmissionResult): void {
    if (this.#stopping.signal.aborted) return
    if (answer.kind === 'lost') return this.#repeat(queued)
    if (answer.kind === 'timeout') return this.#settleTimeout(queued)
    this.#answers += 1
    if (answer.commandStatus === statuses.ESME_ROK) {
      this.#acceptances += 1
      this.#throttle.noteAcceptance()
      this.#context.onResult('acknowledged')
      return this.#finish(queued)
    }
    if (!temporaryStatuses.has(answer.commandStatus)) return this.#store(queued)
    this.#settleRefusal(queued)
  }

  #settleRefusal(queued: Queued): void {
    // During a pause the client refuses everything because it is overloaded, so its refusals do not count.
    if (!this.#throttle.isPaused) queued.refusals += 1
    this.#throttle.noteRefusal()
    // A client that accepts nothing gets every delivery again later.
    const acceptsOthers = this.#acceptances > queued.acceptancesBefore!
    if (queued.refusals >= queued.maxFailures && acceptsOthers) return this.#store(queued)
    this.#context.onResult('repeated')
    this.#queueAfter(queued, ceilingMs(queued.refusals, retries))
  }

  #settleTimeout(queued: Queued): void {
    queued.timeouts += 1
    if (queued.timeouts < queued.maxFailures) return this.#repeat(queued)
    // The client responds to others, so this one would block the position for ever.
    if (this.#answers > queued.answersBefore!) return this.#store(queued)
    // Deliveries without a response would fill the windows, so others go first.
    this.#context.onResult('repeated')
    this.#queueAfter(queued, 0)
  }

  #repeat(queued: Queued): void {
    this.#context.onResult('repeated')
    this.#queue.unshift(queued)
    // Wait for the next turn, so the lost bind is not chosen again.
    setImmediate(() => this.pump())
  }

  #queueAfter(queued: Queued, delayMs: number): void {
    setTimeout(() => {
      this.#queue.push(queued)
      this.pump()
    }, delayMs).unref()
  }

  #store(queued: Queued): void {
    this.#context.onResult('refused')
    queued.store().then(
      () => this.#finish(queued),
      (error: unknown) => {
        this.#context.log.warn(
          { err: error as Error },
          'a receipt that the client did not acknowledge could not be stored; it is delivered again',
        )
        this.#queueAfter(queued, errorPauseMs)
      },
    )
  }

  #finish({ item, bytes }: Queued): void {
    item.left -= 1
    // A stopped feed has released everything.
    if (!this.#stopping.signal.aborted) {
      this.#bytes -= bytes
      this.#context.budget.release(bytes)
    }
    this.#progress.advance()
    if (this.#progress.size <= maxItems / 2) this.#wake()
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    let isOpen = false
    let lastSeq = 0
    const isStopped = (): boolean => signal.aborted
    while (!isStopped()) {
      try {
        if (!isOpen) {
          lastSeq = await this.#context.source.position()
          this.#progress.start(lastSeq)
          isOpen = true
        }
        const limit = await this.#room()
        if (limit === 0) return
        const items = await this.#context.source.read(lastSeq, limit)
        if (items.length === 0) await this.#context.source.wait(lastSeq, signal)
        for (const item of items) {
          this.#add(item)
          lastSeq = item.seq
        }
        this.#progress.advance()
        this.pump()
      } catch (error) {
        if (isStopped()) return
        this.#context.log.warn(
          { err: error as Error },
          'reading receipts or replies for SMPP failed; retrying',
        )
        await pause(errorPauseMs, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  #add({ seq, pdus }: FeedItem): void {
    const item = this.#progress.add(seq, pdus.length)
    for (const pdu of pdus) {
      const bytes = sizeOf(pdu.body)
      this.#bytes += bytes
      this.#context.budget.reserve(bytes)
      this.#queue.push({
        ...pdu,
        item,
        bytes,
        timeouts: 0,
        refusals: 0,
        answersBefore: null,
        acceptancesBefore: null,
      })
    }
  }

  /** Waits until there is room and resolves with the number of items to read; 0 after `stop`. */
  async #room(): Promise<number> {
    const { budget } = this.#context
    while (!this.#stopping.signal.aborted) {
      const { size } = this.#progress
      if (!budget.isUsedUp && size <= maxItems - readLimit) return readLimit
      if (budget.isUsedUp && size < spareItems) return spareItems - size
      await new Promise<void>((resolve) => {
        const leave = budget.onRoom(resolve)
        this.#wake = () => {
          leave()
          resolve()
        }
      })
    }
    return 0
  }
}

function hasRoom({ free, delivering }: Receiver): boolean {
  return free > (free + delivering > 1 ? 1 : 0)
}
