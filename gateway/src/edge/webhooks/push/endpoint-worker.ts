import type { MessageTrace } from '../../../jobs/message-trace.ts'
import type { BreakerPass } from '../../../platform/circuit-breaker.ts'
import { clock } from '../../../platform/time/clock.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { FormatTime } from '../../../contract/times.ts'
import type { Guard } from '../guard.ts'
import type { HostRateLimiter } from './host-rate-limiter.ts'
import type { PushedWebhook } from './ownership.ts'
import {
  buildFailure,
  recordAttempt,
  sendPush,
  traceAttempt,
  type FailedOutcome,
  type PendingPush,
} from './pending-push.ts'
import { PushAdmission } from './push-admission.ts'
import { PushProgress, PushQueue } from './push-queue.ts'
import type { DueDelivery, FreshEvent, PushReader } from './push-source.ts'
import { openConnections, type Connections } from './push.ts'
import type { Progress, ProgressSource } from './save-progress.ts'
import type { AttemptLog } from './attempt-log.ts'
import type { DisableReason } from '../webhook.ts'

export interface EndpointContext {
  readonly guard: Guard
  readonly hosts: Pick<HostRateLimiter, 'consume'>
  readonly formatPreciseTime: FormatTime
  readonly scheduleMs: readonly number[]
  /** A webhook whose pushes have all failed for this long is disabled. */
  readonly disableAfterMs: number
  readonly metrics: Metrics
  readonly trace?: MessageTrace | undefined
  disable(webhook: PushedWebhook, reason: DisableReason): void
}

/**
 * Pushes to one webhook, in the process that owns it: new reports in order and due deliveries, within its rate and
 * concurrency, and paused while its circuit breaker is open. Results stay in memory until `takeProgress` returns them
 * to be saved. Accesses no table.
 */
export class EndpointWorker implements PushReader, ProgressSource {
  readonly tries: AttemptLog
  readonly #context: EndpointContext
  readonly #admission: PushAdmission
  readonly #progress: PushProgress
  readonly #queue: PushQueue
  #webhook: PushedWebhook
  #connections: Connections
  #failingSince: Date | null
  #active = 0
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  #onIdle: (() => void) | undefined

  constructor(webhook: PushedWebhook, tries: AttemptLog, context: EndpointContext) {
    this.#webhook = webhook
    this.#context = context
    this.tries = tries
    this.#admission = new PushAdmission(webhook.perSecond)
    this.#connections = openConnections(context.guard, webhook.concurrency)
    this.#progress = new PushProgress(webhook.seq)
    this.#queue = new PushQueue(webhook.seq, this.#progress)
    this.#failingSince = webhook.failingSince
  }

  get webhook(): PushedWebhook {
    return this.#webhook
  }

  get afterSeq(): number {
    return this.#queue.readSeq
  }

  /** Number of new reports to read now. Unread ones stay in the table and cost nothing. */
  get freshCapacity(): number {
    return this.#acceptsWork ? this.#queue.freshCapacity(this.#webhook) : 0
  }

  /** Returns the number of due deliveries to read now, including those already held. */
  requestDue(): number {
    this.#progress.startReadingDue()
    const { nextRetryAt } = this.#webhook
    const now = clock.date()
    if (!this.#acceptsWork || nextRetryAt === null || nextRetryAt > now) return 0
    return this.#queue.dueCapacity(this.#webhook)
  }

  get #acceptsWork(): boolean {
    return !this.#stopped && this.#admission.isAdmitting
  }

  update(webhook: PushedWebhook): void {
    if (webhook.concurrency !== this.#webhook.concurrency) {
      // Pushes in progress finish on the old connections.
      this.#connections = openConnections(this.#context.guard, webhook.concurrency)
    }
    this.#admission.setRate(webhook.perSecond)
    this.#webhook = webhook
    this.#startPushes()
  }

  addFresh(events: readonly FreshEvent[]): void {
    this.#queue.addFresh(events)
    this.#startPushes()
  }

  skipTo(seq: number): void {
    this.#queue.skipTo(seq)
  }

  addDue(deliveries: readonly DueDelivery[]): void {
    if (this.#stopped) return
    this.#queue.addDue(deliveries)
    this.#startPushes()
  }

  /** Returns the results to save, or null if nothing has changed. */
  takeProgress(): Progress | null {
    const progress = this.#progress.take()
    if (progress === null) return null
    const { id: webhookId, epoch } = this.#webhook
    return { webhookId, epoch, failingSince: this.#failingSince, ...progress }
  }

  markSaved(progress: Progress): void {
    this.#progress.markSaved(progress)
    const retryAt = progress.failures.map((failure) => failure.retryAt?.getTime() ?? Infinity)
    const storedRetryAt = this.#webhook.nextRetryAt?.getTime() ?? Infinity
    const next = Math.min(storedRetryAt, ...retryAt)
    if (next < storedRetryAt) this.#webhook = { ...this.#webhook, nextRetryAt: new Date(next) }
  }

  putBack(progress: Progress): void {
    this.#progress.putBack(progress)
  }

  /** Starts nothing new; resolves when the pushes in progress have ended. */
  stop(): Promise<void> {
    this.#stopped = true
    this.#queue.clear()
    clearTimeout(this.#timer)
    return new Promise((resolve) => {
      this.#onIdle = () => {
        this.#connections.close()
        resolve()
      }
      if (this.#active === 0) this.#onIdle()
    })
  }

  #startPushes(): void {
    clearTimeout(this.#timer)
    while (!this.#stopped && this.#active < this.#webhook.concurrency) {
      if (this.#queue.isEmpty) return
      const admission = this.#admission.tryEnter()
      if (admission.pass === null) {
        // Without a time, the end of a push in progress calls this again.
        if (admission.waitMs !== null) this.#startPushesIn(admission.waitMs)
        return
      }
      const { url, accountId } = this.#webhook
      const hostWaitMs = this.#context.hosts.consume(url, accountId, performance.now())
      if (hostWaitMs > 0) {
        this.#admission.release(admission.pass)
        return this.#startPushesIn(hostWaitMs)
      }
      this.#active++
      void this.#push(this.#queue.next(this.#active % 2 === 0), admission.pass)
    }
  }

  #startPushesIn(ms: number): void {
    this.#timer = setTimeout(() => this.#startPushes(), Math.ceil(ms))
  }

  async #push(push: PendingPush, pass: BreakerPass): Promise<void> {
    const started = performance.now()
    const outcome = await sendPush(push, this.#webhook, { ...this.#context, connections: this.#connections })
    this.#active--
    if (outcome === null) {
      this.#admission.release(pass)
      this.#fail(push, null)
    } else {
      const { metrics, trace } = this.#context
      const at = clock.date()
      recordAttempt(push, outcome, performance.now() - started, { metrics, tries: this.tries, at, trace })
      if (trace !== undefined) traceAttempt(trace, push, this.#webhook.id, outcome, started)
      this.#admission.record(pass, push.notice === null ? outcome.kind !== 'acknowledged' : null)
      if (outcome.kind === 'acknowledged') this.#acknowledge(push)
      else this.#fail(push, outcome)
    }
    if (this.#stopped && this.#active === 0) this.#onIdle?.()
    else this.#startPushes()
  }

  #acknowledge({ notice, eventId, position }: PendingPush): void {
    if (notice === null) this.#failingSince = null
    this.#progress.settle(eventId, position)
  }

  /** Stores the push for a retry, or abandons it; a null `outcome` means that the push had expired. */
  #fail(push: PendingPush, outcome: FailedOutcome | null): void {
    const { scheduleMs, metrics } = this.#context
    const failedAt = clock.date()
    const failure = buildFailure(push, outcome, scheduleMs, failedAt)
    if (failure.retryAt === null) metrics.webhookPushesAbandoned.inc()
    this.#progress.fail(failure, push.position)
    if (outcome === null || push.notice !== null) return
    if (outcome.kind === 'failed' && outcome.slowDown && outcome.retryAfterMs !== null)
      this.#admission.pauseFor(outcome.retryAfterMs)
    this.#failingSince ??= failedAt
    if (this.#stopped) return
    if (outcome.kind === 'gone') this.#context.disable(this.#webhook, 'gone')
    else if (clock.hasPassed(this.#failingSince.getTime() + this.#context.disableAfterMs))
      this.#context.disable(this.#webhook, 'failing')
  }
}
