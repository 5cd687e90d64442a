/**
 * Delivers what an account is owed, in its order, over whichever of its binds has room. The position passes an item only after every
 * PDU of it was acknowledged with status 0, or stored to be repeated. What a lost bind had not acknowledged is delivered again over
 * another one, or by the next process: nothing is lost, and something may come twice.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../platform/log.ts'
import { statuses } from '../smpp/status.ts'
import type { Answer } from '../smpp/window.ts'
import type { DeliverBody } from './receipt.ts'

/** One PDU of an item. */
export interface Owed {
  readonly body: DeliverBody
  /** Stores it to be repeated later, because the client refuses it for good. */
  readonly store: () => Promise<void>
}

export interface FeedItem {
  readonly seq: number
  /** None: it is not for this client. */
  readonly owed: readonly Owed[]
}

export interface FeedSource {
  position(): Promise<number>
  /** The next items after `seq`, in order; fewer than `limit` at the end. */
  read(seq: number, limit: number): Promise<readonly FeedItem[]>
  /** Resolves when there may be an item after `seq`, or after some seconds. */
  wait(seq: number, signal: AbortSignal): Promise<void>
  save(seq: number): Promise<void>
}

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
  readonly log: Log
}

/** Items in memory, acknowledged or not. */
const maxItems = 500
const readLimit = 200
const saveMs = 250
const errorPauseMs = 1_000
const minBackoffMs = 1_000
const maxBackoffMs = 30_000

/** The client may take it later: it is asked for less for a while. Whatever else it answers is a refusal. */
const temporary: ReadonlySet<number> = new Set([
  statuses.ESME_RSYSERR,
  statuses.ESME_RMSGQFUL,
  statuses.ESME_RTHROTTLED,
  statuses.ESME_RX_T_APPN,
])

interface Item {
  left: number
}

interface Queued extends Owed {
  readonly item: Item
}

export class Feed {
  readonly #context: FeedContext
  readonly #stopping = new AbortController()
  /** In order. */
  readonly #items = new Map<number, Item>()
  #queue: Queued[] = []
  #position = 0
  #saved = 0
  #backoffMs = 0
  #pausedUntil = 0
  #pumping = false
  #wake: () => void = () => undefined
  readonly #running: Promise<void>
  readonly #saving: NodeJS.Timeout
  #lastSave: Promise<void> = Promise.resolve()

  constructor(context: FeedContext) {
    this.#context = context
    this.#running = this.#run()
    this.#saving = setInterval(() => this.#save(), saveMs)
  }

  /** A bind has room. */
  pump(): void {
    if (this.#pumping) return
    this.#pumping = true
    try {
      while (
        this.#queue.length > 0 &&
        performance.now() >= this.#pausedUntil &&
        !this.#stopping.signal.aborted
      ) {
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
    clearInterval(this.#saving)
    await this.#running
    await this.#lastSave
    this.#save()
    await this.#lastSave
  }

  /** The one that has the fewest deliveries under way. Each keeps one place of its window for stored receipts. */
  #choose(): Receiver | null {
    let found: Receiver | null = null
    for (const receiver of this.#context.receivers())
      if (hasRoom(receiver) && (found === null || receiver.delivering < found.delivering)) found = receiver
    return found
  }

  #deliver(receiver: Receiver, queued: Queued): void {
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
    if (answer.kind !== 'response') {
      this.#context.onResult('repeated')
      this.#queue.unshift(queued)
      // In the next turn: the bind that was lost is not asked again.
      setImmediate(() => this.pump())
      return
    }
    if (answer.commandStatus === statuses.ESME_ROK) {
      this.#backoffMs = 0
      this.#context.onResult('acknowledged')
      return this.#done(queued)
    }
    if (!temporary.has(answer.commandStatus)) return this.#store(queued)
    this.#context.onResult('repeated')
    this.#queue.unshift(queued)
    this.#backoffMs = Math.min(Math.max(this.#backoffMs * 2, minBackoffMs), maxBackoffMs)
    this.#pausedUntil = performance.now() + this.#backoffMs
    setTimeout(() => this.pump(), this.#backoffMs + 5).unref()
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
        this.#queue.push(queued)
        setTimeout(() => this.pump(), errorPauseMs).unref()
      },
    )
  }

  #done({ item }: Queued): void {
    item.left -= 1
    this.#advance()
  }

  #advance(): void {
    for (const [seq, { left }] of this.#items) {
      if (left > 0) break
      this.#items.delete(seq)
      this.#position = seq
    }
    if (this.#items.size <= maxItems / 2) this.#wake()
  }

  #save(): void {
    const position = this.#position
    if (position <= this.#saved) return
    this.#lastSave = this.#lastSave
      .then(() => this.#context.source.save(position))
      .then(
        () => {
          this.#saved = Math.max(this.#saved, position)
        },
        // The next round saves it; until then a crash repeats more.
        () => undefined,
      )
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    let isOpen = false
    let last = 0
    const isStopped = (): boolean => signal.aborted
    while (!isStopped()) {
      try {
        if (!isOpen) {
          last = this.#position = this.#saved = await this.#context.source.position()
          isOpen = true
        }
        const items = await this.#context.source.read(last, readLimit)
        if (items.length === 0) await this.#context.source.wait(last, signal)
        for (const { seq, owed } of items) {
          const item = { left: owed.length }
          this.#items.set(seq, item)
          this.#queue.push(...owed.map((one) => ({ ...one, item })))
          last = seq
        }
        this.#advance()
        this.pump()
        await this.#room()
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

  /** Resolves when there is room for more items. */
  async #room(): Promise<void> {
    while (this.#items.size > maxItems - readLimit && !this.#stopping.signal.aborted)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
  }
}

function hasRoom({ free, delivering }: Receiver): boolean {
  return free > (free + delivering > 1 ? 1 : 0)
}
