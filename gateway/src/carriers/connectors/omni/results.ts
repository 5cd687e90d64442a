/**
 * Reads results from the service and acknowledges a batch when all its readable reports are stored. A batch that cannot be
 * stored is read again. Results of unknown messages are acknowledged like any other, so that nothing waits behind them.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../../../platform/time/backoff.ts'
import type { ConnectorContext, Receipt } from '../connector.ts'
import type { OmniCallResult } from './response.ts'
import { toResultsProblem, readBatch, type ReportBatch, type ResultsProblem } from './batch.ts'
import type { OmniOptions } from './options.ts'
import { toOmniReceipt } from './report.ts'
import type { Upstream } from './upstream.ts'

const streamWaitSeconds = 20
/** A batch of 1,000 reports with refs of 200 characters has less than 1 MB. */
const maxAnswerBytes = 8 * 1024 * 1024
/** A faster response without reports was not a long poll, so a pause follows it. */
const longPollMinMs = 1_000

const notStored = 'not-stored'

export class ResultsReader {
  readonly #options: OmniOptions
  readonly #upstream: Upstream
  readonly #context: ConnectorContext
  #warned = false
  /** Monotonic time since which results could not be read or acknowledged. */
  #failingSince: number | undefined

  constructor(options: OmniOptions, upstream: Upstream, context: ConnectorContext) {
    this.#options = options
    this.#upstream = upstream
    this.#context = context
  }

  /**
   * Reads results once, without acknowledging them, so that reading again returns the same ones. Returns the problem if the
   * link must not open, and null after a passing failure.
   */
  async check(signal: AbortSignal): Promise<ResultsProblem | null> {
    if (this.#options.results === 'webhook') return null
    const read = await this.#read(signal, 0)
    if (!('link' in read)) return null
    const problem = this.#countProblem(read)
    return problem.link === 'up' ? null : problem
  }

  /** Runs until `signal` aborts (returns null) or the link is lost (returns the problem). */
  async run(signal: AbortSignal): Promise<ResultsProblem | null> {
    let failures = 0
    const isOver = (): boolean => signal.aborted
    while (!isOver()) {
      const started = performance.now()
      const read = await this.#read(signal, streamWaitSeconds)
      const found = 'link' in read ? read : await this.#process(read, signal)
      if (isOver()) break
      const problem = found === null ? null : this.#countProblem(found)
      if (problem !== null && problem.link !== 'up') return problem
      if (problem !== null) {
        const { pollIntervalMs: firstMs, reconnectMaxMs } = this.#options
        const ms = backoffMs(failures++, { firstMs, maxMs: Math.max(firstMs, reconnectMaxMs) })
        // `Retry-After: 0` must not make requests more frequent.
        await sleep(Math.max(problem.retryAfterMs ?? ms, firstMs), signal)
        continue
      }
      failures = 0
      this.#failingSince = undefined
      const isEmpty = 'reports' in read && read.reports.length === 0
      if (isEmpty && performance.now() - started < longPollMinMs)
        await sleep(this.#options.pollIntervalMs, signal)
    }
    return null
  }

  /** Turns a lasting problem into a lost link: messages whose results cannot be read end at their deadlines. */
  #countProblem(problem: ResultsProblem): ResultsProblem {
    if (problem.link !== 'up' || problem.code === notStored) return problem
    const { log, onEvent } = this.#context
    onEvent('poll-failed')
    if (this.#failingSince === undefined) {
      this.#failingSince = performance.now()
      log.warn({ code: problem.code }, 'cannot read results from the service; retrying')
    }
    const isLost = performance.now() - this.#failingSince >= this.#options.resultsTimeoutMs
    return isLost ? { ...problem, link: 'lost' } : problem
  }

  async #process(batch: ReportBatch, signal: AbortSignal): Promise<ResultsProblem | null> {
    const { log, onEvent, onReceipt } = this.#context
    const receipts: Receipt[] = []
    for (const report of batch.reports) {
      const receipt = toOmniReceipt(report, this.#options.causes)
      if (receipt === null) onEvent('malformed-receipt')
      else receipts.push(receipt)
    }
    const stored = await Promise.allSettled(receipts.map((receipt) => onReceipt(receipt)))
    if (stored.some(({ status }) => status === 'rejected'))
      return { code: notStored, link: 'up', retryAfterMs: this.#options.pollIntervalMs }
    if (batch.id === '') return null
    const answer = await this.#acknowledge(batch.id, signal)
    if (answer.kind === 'answer' && answer.code === 'A000') return null
    if (answer.kind === 'answer' && answer.code === 'A805') {
      onEvent('acknowledged-elsewhere')
      if (!this.#warned)
        log.warn(
          {},
          'another reader acknowledges reports of this account; its reports are missing here, unless it is another owner of this route; use a separate account for the route',
        )
      this.#warned = true
      return null
    }
    return toResultsProblem(answer)
  }

  async #read(signal: AbortSignal, waitSeconds: number): Promise<ReportBatch | ResultsProblem> {
    const { results, consumer, responseTimeoutMs } = this.#options
    const isPolling = results === 'polling'
    const answer = await this.#upstream.call({
      method: 'GET',
      path: isPolling
        ? '/v1/report/polling'
        : `/v1/report/stream?consumer=${consumer}&wait=${waitSeconds}&limit=1000`,
      headers: {},
      maxAnswerBytes,
      timeoutMs: isPolling ? responseTimeoutMs : responseTimeoutMs + waitSeconds * 1000,
      signal,
    })
    return readBatch(answer, isPolling)
  }

  #acknowledge(id: string, signal: AbortSignal): Promise<OmniCallResult> {
    if (this.#options.results === 'polling') {
      const path = `/v1/report/polling/${encodeURIComponent(id)}`
      return this.#upstream.call({ method: 'DELETE', path, headers: {}, signal })
    }
    return this.#upstream.call({
      method: 'POST',
      path: `/v1/report/stream/${this.#options.consumer}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ cursor: id }),
      signal,
    })
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined)
}
