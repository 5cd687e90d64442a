/**
 * One webhook's pushes in the worker that owns it: new reports in order and deliveries that are due, within its rate and
 * its concurrency, resting while it only fails. It keeps what became of each push until `takeProgress` hands it over to
 * be made durable; until `saved` nothing counts. It reads and writes no table.
 */
import type { Pass } from '../platform/circuit-breaker.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { FormatTime } from '../contract/times.ts'
import { PushAdmission } from './push-admission.ts'
import type { Guard } from './guard.ts'
import { failureOf, sendItem, type FailedOutcome, type PendingPush } from './pending-push.ts'
import { notePush } from './note.ts'
import type { OwnedWebhook } from './ownership.ts'
import type { Progress } from './positions.ts'
import { openConnections, type Connections } from './push.ts'
import type { DueDelivery, FreshReport } from './source.ts'
import { PushQueue } from './push-queue.ts'
import type { TryLog } from './try-log.ts'
import { PushProgress } from './push-progress.ts'
import type { DisabledWhy } from './webhook.ts'

export interface LineContext {
  readonly guard: Guard
  readonly formatPreciseTime: FormatTime
  readonly scheduleMs: readonly number[]
  /** With nothing but failures for so long it is disabled. */
  readonly disableAfterMs: number
  readonly metrics: Metrics
  readonly now: () => Date
  disable(webhook: OwnedWebhook, why: DisabledWhy): void
}

export class EndpointWorker {
  readonly tries: TryLog
  readonly #context: LineContext
  readonly #gate: PushAdmission
  readonly #unsaved: PushProgress
  readonly #supply: PushQueue
  #webhook: OwnedWebhook
  #connections: Connections
  #failingSince: Date | null
  #active = 0
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  #onIdle: (() => void) | undefined

  constructor(webhook: OwnedWebhook, tries: TryLog, context: LineContext) {
    this.#webhook = webhook
    this.#context = context
    this.tries = tries
    this.#gate = new PushAdmission(webhook.perSecond)
    this.#connections = openConnections(context.guard, webhook.concurrency)
    this.#unsaved = new PushProgress(webhook.seq)
    this.#supply = new PushQueue(webhook.seq, this.#unsaved)
    this.#failingSince = webhook.failingSince
  }

  get webhook(): OwnedWebhook {
    return this.#webhook
  }

  get afterSeq(): number {
    return this.#supply.readSeq
  }

  /** How many new reports it wants now. What it does not take stays where it is, and costs nobody anything. */
  get wantsFresh(): number {
    return this.#wantsAny ? this.#supply.roomForFresh(this.#webhook) : 0
  }

  /** How many due deliveries to read now, those that it has in hand included. */
  askDue(): number {
    this.#unsaved.asking()
    const { nextRetryAt } = this.#webhook
    if (!this.#wantsAny || nextRetryAt === null || nextRetryAt > this.#context.now()) return 0
    return this.#supply.roomForDue(this.#webhook)
  }

  get #wantsAny(): boolean {
    return !this.#stopped && this.#gate.open
  }

  update(webhook: OwnedWebhook): void {
    if (webhook.concurrency !== this.#webhook.concurrency) {
      // What is under way on the old ones ends there.
      this.#connections = openConnections(this.#context.guard, webhook.concurrency)
    }
    this.#gate.changePace(webhook.perSecond)
    this.#webhook = webhook
    this.#pump()
  }

  addFresh(reports: readonly FreshReport[]): void {
    this.#supply.addFresh(reports)
    this.#pump()
  }

  skipTo(seq: number): void {
    this.#supply.skipTo(seq)
  }

  addDue(deliveries: readonly DueDelivery[]): void {
    if (this.#stopped) return
    this.#supply.addDue(deliveries)
    this.#pump()
  }

  /** What to make durable; null when nothing has changed. */
  takeProgress(): Progress | null {
    const progress = this.#unsaved.take()
    if (progress === null) return null
    const { id: webhookId, epoch } = this.#webhook
    return { webhookId, epoch, failingSince: this.#failingSince, ...progress }
  }

  saved(progress: Progress): void {
    this.#unsaved.saved(progress)
    const retryAt = progress.failures.map((failure) => failure.retryAt?.getTime() ?? Infinity)
    const known = this.#webhook.nextRetryAt?.getTime() ?? Infinity
    const next = Math.min(known, ...retryAt)
    if (next < known) this.#webhook = { ...this.#webhook, nextRetryAt: new Date(next) }
  }

  notSaved(progress: Progress): void {
    this.#unsaved.notSaved(progress)
  }

  /** Takes nothing new and lets what is under way end; resolves when it has. */
  stop(): Promise<void> {
    this.#stopped = true
    this.#supply.clear()
    clearTimeout(this.#timer)
    return new Promise((resolve) => {
      this.#onIdle = () => {
        this.#connections.close()
        resolve()
      }
      if (this.#active === 0) this.#onIdle()
    })
  }

  #pump(): void {
    clearTimeout(this.#timer)
    while (!this.#stopped && this.#active < this.#webhook.concurrency) {
      if (this.#supply.isEmpty) return
      const entry = this.#gate.enter()
      if (entry.pass === null) {
        // Without a time, the push that is waited for comes back here.
        if (entry.waitMs !== null) this.#pumpIn(entry.waitMs)
        return
      }
      this.#active++
      void this.#push(this.#supply.next(this.#active % 2 === 0), entry.pass)
    }
  }

  #pumpIn(ms: number): void {
    this.#timer = setTimeout(() => this.#pump(), Math.ceil(ms))
  }

  async #push(item: PendingPush, pass: Pass): Promise<void> {
    const started = performance.now()
    const outcome = await sendItem(item, this.#webhook, { ...this.#context, connections: this.#connections })
    this.#active--
    if (outcome === null) {
      this.#gate.giveBack(pass)
      this.#fail(item, null)
    } else {
      const { metrics, now } = this.#context
      notePush(item, outcome, performance.now() - started, { metrics, tries: this.tries, at: now() })
      this.#gate.note(pass, item.notice === null ? outcome.kind !== 'acknowledged' : null)
      if (outcome.kind === 'acknowledged') this.#acknowledged(item)
      else this.#fail(item, outcome)
    }
    if (this.#stopped && this.#active === 0) this.#onIdle?.()
    else this.#pump()
  }

  #acknowledged({ notice, eventId, place }: PendingPush): void {
    if (notice === null) this.#failingSince = null
    this.#unsaved.settle(eventId, place)
  }

  /** Kept for another try, or given up; without an outcome it was too old to be tried. */
  #fail(item: PendingPush, outcome: FailedOutcome | null): void {
    const { now, scheduleMs, metrics } = this.#context
    const failedAt = now()
    const failure = failureOf(item, outcome, scheduleMs, failedAt)
    if (failure.retryAt === null) metrics.webhookPushesAbandoned.inc()
    this.#unsaved.fail(failure, item.place)
    if (outcome === null || item.notice !== null) return
    if (outcome.kind === 'failed' && outcome.slowDown && outcome.retryAfterMs !== null)
      this.#gate.pauseFor(outcome.retryAfterMs)
    this.#failingSince ??= failedAt
    if (this.#stopped) return
    if (outcome.kind === 'gone') this.#context.disable(this.#webhook, 'gone')
    else if (failedAt.getTime() - this.#failingSince.getTime() >= this.#context.disableAfterMs)
      this.#context.disable(this.#webhook, 'failing')
  }
}
