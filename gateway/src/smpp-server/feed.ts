/**
 * Delivers what an account is owed, in its order, over whichever of its binds has room. The position passes an item only after every
 * PDU of it was acknowledged with status 0, or stored to be repeated. What a lost bind had not acknowledged is delivered again over
 * another one, or by the next process: nothing is lost, and something may come twice.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { ceilingMs } from '../platform/backoff.ts'
import type { Log } from '../platform/log.ts'
import { statuses } from '../smpp/status.ts'
import type { Answer } from '../smpp/window.ts'
import { sizeOf, type DeliveryBudget } from './delivery-budget.ts'
import { DeliveryPace } from './delivery-pace.ts'
import { FeedProgress, type OpenItem } from './feed-progress.ts'
import type { FeedItem, FeedSource, Owed } from './feed-source.ts'
import type { DeliverBody } from './receipt.ts'

/** A bind that can receive. */
export interface Receiver {
  readonly free: number
  readonly delivering: number
  deliver(body: DeliverBody, settle: (answer: Answer) => void): void
}

export type DeliveryResult = 'acknowledged' | 'refused' | 'repeated'

export interface FeedContext {
  readonly source: FeedSource
  /** The binds of the account that may receive this kind. */
  readonly receivers: () => readonly Receiver[]
  readonly onResult: (result: DeliveryResult) => void
  /** Shared with the other feeds of the process. */
  readonly budget: DeliveryBudget
  readonly log: Log
}

/** Items in memory, acknowledged or not. */
const maxItems = 500
const readLimit = 200
/** The same when the feeds of the process hold as much as they may together. */
const spareItems = 20
const errorPauseMs = 1_000
const retries = { firstMs: 500, maxMs: 30_000 }

/** The client may accept the same delivery later. Every other status except ESME_ROK is a permanent refusal. */
const temporary: ReadonlySet<number> = new Set([
  statuses.ESME_RSYSERR,
  statuses.ESME_RMSGQFUL,
  statuses.ESME_RTHROTTLED,
  statuses.ESME_RX_T_APPN,
])

interface Queued extends Owed {
  readonly item: OpenItem
  readonly bytes: number
  timeouts: number
  /** Temporary refusals outside pauses. */
  refusals: number
  /** Answers of the client before it was delivered for the first time. */
  answersBefore: number | null
  acceptancesBefore: number | null
}

export class Feed {
  readonly #context: FeedContext
  readonly #stopping = new AbortController()
  readonly #progress: FeedProgress
  readonly #pace = new DeliveryPace(() => this.pump())
  readonly #queue: Queued[] = []
  /** Octets of what is not done. */
  #bytes = 0
  #answers = 0
  #acceptances = 0
  #pumping = false
  #wake: () => void = () => undefined
  readonly #running: Promise<void>

  constructor(context: FeedContext) {
    this.#context = context
    this.#progress = new FeedProgress((seq) => context.source.save(seq))
    this.#running = this.#run()
  }

  /** A bind has room. */
  pump(): void {
    if (this.#pumping) return
    this.#pumping = true
    try {
      while (this.#queue.length > 0 && !this.#pace.isPaused && !this.#stopping.signal.aborted) {
        const receiver = this.#choose()
        if (receiver === null) return
        this.#deliver(receiver, this.#queue.shift()!)
      }
    } finally {
      this.#pumping = false
    }
  }

  /** Saves the position. What is not acknowledged by now is delivered again by whoever is next. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wake()
    await this.#running
    await this.#progress.stop()
    this.#context.budget.giveBack(this.#bytes)
    this.#bytes = 0
  }

  /** The one that has the fewest deliveries under way. Each keeps one place of its window for stored receipts. */
  #choose(): Receiver | null {
    let found: Receiver | null = null
    for (const receiver of this.#context.receivers())
      if (hasRoom(receiver) && (found === null || receiver.delivering < found.delivering)) found = receiver
    return found
  }

  #deliver(receiver: Receiver, queued: Queued): void {
    queued.answersBefore ??= this.#answers
    queued.acceptancesBefore ??= this.#acceptances
    try {
      receiver.deliver(queued.body, (answer) => this.#settle(queued, answer))
    } catch (error) {
      this.#context.log.error(
        { err: error as Error },
        'a receipt or reply cannot be written as a deliver_sm; it is stored',
      )
      this.#store(queued)
    }
  }

  #settle(queued: Queued, answer: Answer): void {
    if (this.#stopping.signal.aborted) return
    if (answer.kind === 'lost') return this.#repeat(queued)
    if (answer.kind === 'timeout') return this.#settleTimeout(queued)
    this.#answers += 1
    if (answer.commandStatus === statuses.ESME_ROK) {
      this.#acceptances += 1
      this.#pace.noteAcceptance()
      this.#context.onResult('acknowledged')
      return this.#done(queued)
    }
    if (!temporary.has(answer.commandStatus)) return this.#store(queued)
    this.#settleRefusal(queued)
  }

  #settleRefusal(queued: Queued): void {
    // During a pause the client refuses because it is overloaded, whatever it is given.
    if (!this.#pace.isPaused) queued.refusals += 1
    this.#pace.noteRefusal()
    // A client that accepts nothing is asked again later, whatever it is given.
    const acceptsOthers = this.#acceptances > queued.acceptancesBefore!
    if (queued.refusals >= queued.maxFailures && acceptsOthers) return this.#store(queued)
    this.#context.onResult('repeated')
    this.#queueAfter(queued, ceilingMs(queued.refusals, retries))
  }

  #settleTimeout(queued: Queued): void {
    queued.timeouts += 1
    if (queued.timeouts < queued.maxFailures) return this.#repeat(queued)
    // The client answers others: this one would keep the position where it is for ever.
    if (this.#answers > queued.answersBefore!) return this.#store(queued)
    // Several that are never answered would fill the windows: the others are delivered first.
    this.#context.onResult('repeated')
    this.#queueAfter(queued, 0)
  }

  #repeat(queued: Queued): void {
    this.#context.onResult('repeated')
    this.#queue.unshift(queued)
    // In the next turn: the bind that was lost is not asked again.
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
      () => this.#done(queued),
      (error: unknown) => {
        this.#context.log.warn(
          { err: error as Error },
          'a refused receipt could not be stored; it is delivered again',
        )
        this.#queueAfter(queued, errorPauseMs)
      },
    )
  }

  #done({ item, bytes }: Queued): void {
    item.left -= 1
    // A feed that has stopped has given back everything.
    if (!this.#stopping.signal.aborted) {
      this.#bytes -= bytes
      this.#context.budget.giveBack(bytes)
    }
    this.#progress.advance()
    if (this.#progress.size <= maxItems / 2) this.#wake()
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    let isOpen = false
    let last = 0
    const isStopped = (): boolean => signal.aborted
    while (!isStopped()) {
      try {
        if (!isOpen) {
          last = await this.#context.source.position()
          this.#progress.start(last)
          isOpen = true
        }
        const limit = await this.#room()
        if (limit === 0) return
        const items = await this.#context.source.read(last, limit)
        if (items.length === 0) await this.#context.source.wait(last, signal)
        for (const item of items) {
          this.#add(item)
          last = item.seq
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

  #add({ seq, owed }: FeedItem): void {
    const item = this.#progress.add(seq, owed.length)
    for (const one of owed) {
      const bytes = sizeOf(one.body)
      this.#bytes += bytes
      this.#context.budget.take(bytes)
      this.#queue.push({
        ...one,
        item,
        bytes,
        timeouts: 0,
        refusals: 0,
        answersBefore: null,
        acceptancesBefore: null,
      })
    }
  }

  /** Resolves with how many items may be read, when there is room for some. */
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
