/**
 * Exports spans to an OpenTelemetry collector over OTLP/HTTP, as JSON. Adding a span never waits and never
 * fails: spans are queued up to a limit, one request at a time sends the oldest of them, and while the
 * collector is slow or unavailable new spans are dropped and counted. A request that the collector may accept
 * later is retried with backoff.
 */
import { backoffMs } from '../time/backoff.ts'
import type { Log } from '../logging/log.ts'
import { settleOrTimeout } from '../time/settle-or-timeout.ts'
import { encodeSpans, type Attributes, type Span } from './span.ts'

export interface ExporterOptions {
  /** The base URL of the collector; `/v1/traces` is added. */
  readonly url: string
  /** Attributes of this process. */
  readonly resource: Attributes
  readonly log: Log
  /** Called with the number of spans that were exported or dropped. */
  readonly onResult: (result: 'exported' | 'dropped', spans: number) => void
  /** Tests set them lower. */
  readonly limits?: Partial<typeof defaultLimits>
}

export interface SpanSink {
  add(span: Span): void
}

const defaultLimits = {
  /** Large enough for eight seconds without the collector at 1,000 spans per second. */
  queued: 8_192,
  /** Spans per request. */
  batch: 256,
  /** Maximum time that a span waits for others. */
  delayMs: 1_000,
  requestMs: 5_000,
  /** Time that `close` waits for the collector. */
  closeMs: 2_000,
}

const backoff = { firstMs: 1_000, maxMs: 30_000 }
/** Statuses after which OTLP allows a retry, and 408. */
const repeatable = new Set([408, 429, 502, 503, 504])

export class SpanExporter implements SpanSink {
  readonly #options: ExporterOptions
  readonly #limits: typeof defaultLimits
  readonly #url: string
  #queue: Span[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  #failures = 0
  #closing = false

  constructor(options: ExporterOptions) {
    this.#options = options
    this.#limits = { ...defaultLimits, ...options.limits }
    this.#url = `${options.url.replace(/\/+$/, '')}/v1/traces`
  }

  add(span: Span): void {
    if (this.#queue.length >= this.#limits.queued) return this.#options.onResult('dropped', 1)
    this.#queue.push(span)
    if (this.#failures === 0 && this.#queue.length >= this.#limits.batch) this.#sendNow()
    else this.#sendIn(this.#limits.delayMs)
  }

  /** Sends queued spans for a short time and drops the rest. */
  async close(): Promise<void> {
    this.#closing = true
    clearTimeout(this.#timer)
    const until = performance.now() + this.#limits.closeMs
    const isIdle = await settleOrTimeout(this.#limits.closeMs, this.#sending ?? Promise.resolve())
    while (isIdle && this.#queue.length > 0) {
      const leftMs = until - performance.now()
      if (leftMs <= 0 || !(await this.#sendBatch(leftMs))) break
    }
    if (this.#queue.length > 0) this.#options.onResult('dropped', this.#queue.length)
    this.#queue = []
  }

  #sendIn(ms: number): void {
    if (this.#closing || this.#timer !== undefined || this.#sending !== undefined) return
    // A command that ends must not wait for the timer.
    this.#timer = setTimeout(() => this.#sendNow(), ms).unref()
  }

  #sendNow(): void {
    if (this.#closing || this.#sending !== undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending = this.#sendBatch(this.#limits.requestMs).then(() => {
      this.#sending = undefined
      if (this.#queue.length === 0) return
      if (this.#failures > 0) this.#sendIn(backoffMs(this.#failures - 1, backoff))
      else if (this.#queue.length >= this.#limits.batch) this.#sendNow()
      else this.#sendIn(this.#limits.delayMs)
    })
  }

  /** Never rejects. Returns false if the batch stays in the queue, because the collector may accept it later. */
  async #sendBatch(timeoutMs: number): Promise<boolean> {
    const batch = this.#queue.slice(0, this.#limits.batch)
    const failure = await this.#post(encodeSpans(this.#options.resource, batch), timeoutMs)
    if (failure?.repeat === true) {
      this.#fail(failure.reason)
      return false
    }
    this.#queue = this.#queue.slice(batch.length)
    if (failure === null) this.#recover()
    else this.#fail(failure.reason)
    this.#options.onResult(failure === null ? 'exported' : 'dropped', batch.length)
    return true
  }

  async #post(body: string, timeoutMs: number): Promise<Failure | null> {
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(Math.ceil(timeoutMs)),
      })
      // Discard the body: its size is unlimited and it is not needed.
      await response.body?.cancel()
      if (response.ok) return null
      return { reason: `returned ${response.status}`, repeat: repeatable.has(response.status) }
    } catch (error) {
      return { reason: describe(error as Error), repeat: true }
    }
  }

  #fail(reason: string): void {
    if (this.#failures++ === 0)
      this.#options.log.warn(
        { reason },
        'the trace collector does not accept spans; those that it refuses or that the queue cannot hold are dropped. Messages are not affected. Check POSTERN_OTLP_URL and the collector',
      )
  }

  #recover(): void {
    if (this.#failures > 0) this.#options.log.info({}, 'the trace collector accepts spans again')
    this.#failures = 0
  }
}

interface Failure {
  readonly reason: string
  readonly repeat: boolean
}

/** Returns the code or the name of the error. The URL is left out, because it may contain a password. */
function describe(error: Error & { readonly cause?: unknown }): string {
  const { code } = (error.cause ?? {}) as { readonly code?: unknown }
  return typeof code === 'string' ? code : error.name
}
