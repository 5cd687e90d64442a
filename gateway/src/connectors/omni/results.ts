/**
 * Reads results from the service and acknowledges them when all of a batch are stored. A batch that cannot be stored is
 * read again; one that names messages of others is acknowledged like any other, so that nothing waits behind it.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../../platform/backoff.ts'
import type { ConnectorContext, Receipt } from '../connector.ts'
import type { CallResult } from './answer.ts'
import { problemOf, readBatch, type Batch, type ResultsProblem } from './batch.ts'
import type { OmniOptions } from './options.ts'
import { toReceipt } from './report.ts'
import type { Upstream } from './upstream.ts'

const streamWaitSeconds = 20
/** A batch of 1,000 reports with a ref of 200 characters each has less than 1 MB. */
const maxAnswerBytes = 8 * 1024 * 1024
/** An answer without reports that came faster did not wait for them. */
const waitedMs = 1_000

const notStored = 'not-stored'

export class ResultsReader {
  readonly #options: OmniOptions
  readonly #upstream: Upstream
  readonly #context: ConnectorContext
  #warned = false
  /** Monotonic; since when the service has not let results be read or acknowledged. */
  #failingSince: number | undefined

  constructor(options: OmniOptions, upstream: Upstream, context: ConnectorContext) {
    this.#options = options
    this.#upstream = upstream
    this.#context = context
  }

  /** Whether the account may read results. Reading again returns the same ones. */
  async check(signal: AbortSignal): Promise<ResultsProblem | null> {
    if (this.#options.results === 'webhook') return null
    const read = await this.#read(signal, 0)
    if (!('link' in read)) return null
    const problem = this.#judge(read)
    return problem.link === 'up' ? null : problem
  }

  /** Until the signal, or until the link is lost; then it returns why. */
  async run(signal: AbortSignal): Promise<ResultsProblem | null> {
    let failures = 0
    const isOver = (): boolean => signal.aborted
    while (!isOver()) {
      const started = performance.now()
      const read = await this.#read(signal, streamWaitSeconds)
      const found = 'link' in read ? read : await this.#process(read, signal)
      if (isOver()) break
      const problem = found === null ? null : this.#judge(found)
      if (problem !== null && problem.link !== 'up') return problem
      if (problem !== null) {
        const { pollIntervalMs: firstMs, reconnectMaxMs } = this.#options
        const ms = backoffMs(failures++, { firstMs, maxMs: Math.max(firstMs, reconnectMaxMs) })
        // `Retry-After: 0` does not make requests more frequent.
        await rest(Math.max(problem.retryAfterMs ?? ms, firstMs), signal)
        continue
      }
      failures = 0
      this.#failingSince = undefined
      const isEmpty = 'reports' in read && read.reports.length === 0
      if (isEmpty && performance.now() - started < waitedMs) await rest(this.#options.pollIntervalMs, signal)
    }
    return null
  }

  /** Messages whose results cannot be read end at their deadlines, so other routes must take them after a while. */
  #judge(problem: ResultsProblem): ResultsProblem {
    if (problem.link !== 'up' || problem.code === notStored) return problem
    const { log, onEvent } = this.#context
    onEvent('poll-failed')
    if (this.#failingSince === undefined) {
      this.#failingSince = performance.now()
      log.warn({ code: problem.code }, 'results cannot be read from the service; trying again')
    }
    const isLost = performance.now() - this.#failingSince >= this.#options.resultsTimeoutMs
    return isLost ? { ...problem, link: 'lost' } : problem
  }

  async #process(batch: Batch, signal: AbortSignal): Promise<ResultsProblem | null> {
    const { log, onEvent, onReceipt } = this.#context
    const receipts: Receipt[] = []
    for (const report of batch.reports) {
      const receipt = toReceipt(report, this.#options.causes)
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
          'another reader acknowledges reports of this account; unless it is another owner of this route, what it reads is missing here. Give the route an account of its own',
        )
      this.#warned = true
      return null
    }
    return problemOf(answer)
  }

  async #read(signal: AbortSignal, waitSeconds: number): Promise<Batch | ResultsProblem> {
    const { results, consumer, responseTimeoutMs } = this.#options
    const polling = results === 'polling'
    const answer = await this.#upstream.call({
      method: 'GET',
      path: polling
        ? '/v1/report/polling'
        : `/v1/report/stream?consumer=${consumer}&wait=${waitSeconds}&limit=1000`,
      headers: {},
      maxAnswerBytes,
      timeoutMs: polling ? responseTimeoutMs : responseTimeoutMs + waitSeconds * 1000,
      signal,
    })
    return readBatch(answer, polling)
  }

  #acknowledge(id: string, signal: AbortSignal): Promise<CallResult> {
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

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined)
}
