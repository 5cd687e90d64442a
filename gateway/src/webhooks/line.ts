/**
 * One webhook's pushes in the worker that owns it: new reports in order and deliveries that are due, within its rate and
 * its concurrency, resting while it only fails. It keeps what became of each push until `takeProgress` hands it over to
 * be made durable; until `saved` nothing counts. It reads and writes no table.
 */
import { CircuitBreaker, type Pass } from '../platform/breaker.ts'
import { describeFault } from '../platform/fault.ts'
import type { FormatTime } from '../platform/times.ts'
import type { Metrics } from '../platform/metrics.ts'
import { reportBody, reportEventId } from './body.ts'
import type { Guard } from './guard.ts'
import type { OwnedWebhook } from './ownership.ts'
import { Pace } from './pace.ts'
import type { Progress } from './positions.ts'
import { msgKeyWanted, openConnections, type Connections, type PushOutcome } from './push.ts'
import { nextTry } from './schedule.ts'
import { signedHeaders } from './sign.ts'
import type { DueDelivery, FreshReport } from './source.ts'
import type { TryLog } from './try-log.ts'
import { Unsaved, type Place } from './unsaved.ts'
import { pushLifetimeMs, type DisabledWhy } from './webhook.ts'

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

/** `place` is null for a delivery that has a row of its own. */
type Item = Omit<DueDelivery, 'webhookId'> & { readonly place: Place | null }

/** A webhook may fail half of its pushes and still be pushed to; one that only fails rests. */
const breakerSettings = { windowOutcomes: 100, leastOutcomes: 10, failureShare: 0.9 }
const longestPauseMs = 3_600_000
const mostAtOnce = 200

export class Line {
  readonly tries: TryLog
  readonly #context: LineContext
  readonly #breaker = new CircuitBreaker(breakerSettings)
  readonly #pace: Pace
  readonly #unsaved: Unsaved
  #webhook: OwnedWebhook
  #connections: Connections
  #readSeq: number
  #fresh: Item[] = []
  #due: Item[] = []
  #failingSince: Date | null
  #active = 0
  #pausedUntilMs = 0
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  #onIdle: (() => void) | undefined

  constructor(webhook: OwnedWebhook, tries: TryLog, context: LineContext) {
    this.#webhook = webhook
    this.#context = context
    this.tries = tries
    this.#pace = new Pace(webhook.perSecond)
    this.#connections = openConnections(context.guard, webhook.concurrency)
    this.#readSeq = webhook.seq
    this.#unsaved = new Unsaved(webhook.seq)
    this.#failingSince = webhook.failingSince
  }

  get webhook(): OwnedWebhook {
    return this.#webhook
  }

  get afterSeq(): number {
    return this.#readSeq
  }

  /** How many new reports it wants now. What it does not take stays where it is, and costs nobody anything. */
  get wantsFresh(): number {
    if (!this.#wantsAny) return 0
    const { perSecond, concurrency } = this.#webhook
    return Math.min(perSecond + concurrency - this.#unsaved.placesOpen, mostAtOnce)
  }

  /** How many due deliveries to read, those that it has in hand included. */
  get wantsDue(): number {
    const { nextRetryAt, concurrency } = this.#webhook
    if (!this.#wantsAny || nextRetryAt === null || nextRetryAt > this.#context.now()) return 0
    const room = concurrency * 2 - this.#due.length
    return room <= 0 ? 0 : room + this.#unsaved.heldCount
  }

  get #wantsAny(): boolean {
    return !this.#stopped && this.#breaker.state !== 'open' && performance.now() >= this.#pausedUntilMs
  }

  update(webhook: OwnedWebhook): void {
    if (webhook.concurrency !== this.#webhook.concurrency) {
      const { concurrency } = webhook
      // What is under way on the old ones ends there.
      this.#connections = openConnections(this.#context.guard, concurrency)
    }
    this.#pace.change(webhook.perSecond)
    this.#webhook = webhook
    this.#pump()
  }

  addFresh(reports: readonly FreshReport[]): void {
    for (const report of reports) {
      const place = this.#unsaved.addPlace(report.seq)
      this.#readSeq = report.seq
      const { createdAt } = report
      const eventId = reportEventId(report.msgKey, report.step)
      this.#fresh.push({ eventId, tries: 0, createdAt, notice: null, report, place })
    }
    this.#pump()
  }

  /** There is nothing to be pushed up to here that it does not have: what lies between is too old. */
  skipTo(seq: number): void {
    if (seq <= this.#readSeq) return
    this.#readSeq = seq
    this.#unsaved.addPlace(seq, true)
  }

  addDue(deliveries: readonly DueDelivery[]): void {
    for (const delivery of deliveries) {
      if (this.#stopped || !this.#unsaved.hold(delivery.eventId)) continue
      const item = { ...delivery, place: null }
      // A report that is no longer kept can be pushed to nobody.
      if (delivery.report === null && delivery.notice === null) this.#unsaved.settle(item.eventId, null)
      else this.#due.push(item)
    }
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
    this.#fresh = []
    this.#due = []
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
      if (this.#fresh.length === 0 && this.#due.length === 0) return
      const now = performance.now()
      if (now < this.#pausedUntilMs) return this.#pumpIn(this.#pausedUntilMs - now)
      if (this.#breaker.state === 'open') return this.#pumpIn(this.#breaker.restMs)
      const pass = this.#breaker.enter()
      // Half open, and its probes are under way: their outcome comes back here.
      if (pass === null) return
      const waitMs = this.#pace.take(now)
      if (waitMs > 0) {
        this.#breaker.giveBack(pass)
        return this.#pumpIn(waitMs)
      }
      this.#active++
      void this.#push(this.#next(), pass)
    }
  }

  #pumpIn(ms: number): void {
    this.#timer = setTimeout(() => this.#pump(), Math.ceil(ms))
  }

  /** Neither kind waits behind all of the other. */
  #next(): Item {
    const dueFirst = this.#due.length > 0 && (this.#fresh.length === 0 || this.#active % 2 === 0)
    return (dueFirst ? this.#due.shift() : this.#fresh.shift())!
  }

  async #push(item: Item, pass: Pass): Promise<void> {
    const started = performance.now()
    const outcome = await this.#try(item)
    this.#active--
    if (outcome === null) {
      this.#breaker.giveBack(pass)
      this.#fail(item, null)
    } else {
      this.#note(item, outcome, performance.now() - started)
      this.#breaker.note(pass, item.notice === null ? outcome.kind !== 'acknowledged' : null)
      if (outcome.kind === 'acknowledged') this.#acknowledged(item)
      else this.#fail(item, outcome)
    }
    if (this.#stopped && this.#active === 0) this.#onIdle?.()
    else this.#pump()
  }

  /** Null: too old to be pushed at all. Never throws: a fault of ours must not end the worker. */
  async #try(item: Item): Promise<PushOutcome | null> {
    const { now } = this.#context
    if (now().getTime() - item.createdAt.getTime() > pushLifetimeMs) return null
    try {
      return await this.#send(item)
    } catch (error) {
      const words = `not pushed: ${describeFault(error)}`
      return { kind: 'failed', httpStatus: null, error: words, retryAfterMs: null, slowDown: false }
    }
  }

  #send(item: Item): Promise<PushOutcome> {
    const { url, timeoutSeconds, acknowledgement } = this.#webhook
    const { now, formatPreciseTime } = this.#context
    const at = now()
    const { report, notice, eventId } = item
    const body =
      report === null ? JSON.stringify(notice) : reportBody(report, formatPreciseTime, this.#webhook)
    return this.#connections.push({
      url,
      body,
      headers: { ...signedHeaders(this.#webhook, eventId, body, at) },
      timeoutMs: timeoutSeconds * 1000,
      msgKey: report === null ? null : msgKeyWanted(acknowledgement, report.msgKey),
    })
  }

  #note({ eventId }: Item, outcome: PushOutcome, ms: number): void {
    const { metrics, now } = this.#context
    const acknowledged = outcome.kind === 'acknowledged'
    metrics.webhookPushes.inc({ result: acknowledged ? 'acknowledged' : 'failed' })
    metrics.webhookPushSeconds.observe(ms / 1000)
    this.tries.add({
      at: now().toISOString(),
      eventId,
      httpStatus: outcome.httpStatus,
      ms: Math.round(ms),
      error: acknowledged ? '' : outcome.error,
    })
  }

  #acknowledged(item: Item): void {
    const { metrics, now } = this.#context
    if (item.notice === null) {
      metrics.webhookLagSeconds.observe(Math.max(0, now().getTime() - item.createdAt.getTime()) / 1000)
      this.#failingSince = null
    }
    this.#unsaved.settle(item.eventId, item.place)
  }

  /** Kept for another try, or given up; without an outcome it was too old to be tried. */
  #fail(item: Item, outcome: Exclude<PushOutcome, { kind: 'acknowledged' }> | null): void {
    const { now, scheduleMs, metrics } = this.#context
    const failedAt = now()
    const tries = outcome === null ? item.tries : item.tries + 1
    const retryAfterMs = outcome?.kind === 'failed' ? outcome.retryAfterMs : null
    const { createdAt, notice, report, eventId } = item
    const retryAt =
      outcome === null ? null : nextTry({ tries, createdAt, retryAfterMs }, scheduleMs, failedAt)
    if (retryAt === null) metrics.webhookGivenUp.inc()
    const failure = {
      ...{ eventId, notice, createdAt, tries, retryAt, failedAt },
      msgKey: report?.msgKey ?? null,
      step: report?.step ?? null,
      httpStatus: outcome?.httpStatus ?? null,
      error: outcome?.error ?? 'not pushed: the report is older than three days',
    }
    this.#unsaved.fail(failure, item.place)
    if (outcome === null || notice !== null) return
    if (outcome.kind === 'failed' && outcome.slowDown && retryAfterMs !== null)
      this.#pausedUntilMs = performance.now() + Math.min(retryAfterMs, longestPauseMs)
    this.#failingSince ??= failedAt
    if (this.#stopped) return
    if (outcome.kind === 'gone') this.#context.disable(this.#webhook, 'gone')
    else if (failedAt.getTime() - this.#failingSince.getTime() >= this.#context.disableAfterMs)
      this.#context.disable(this.#webhook, 'failing')
  }
}
