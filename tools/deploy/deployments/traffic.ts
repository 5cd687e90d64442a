/**
 * Numbered messages of one account: a client that repeats a failed send with the same Idempotency-Key, and a
 * poller. `settle` checks that every message has exactly one report.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import { waitForCondition } from '../../engines/wait-for-condition.ts'

interface ApiResponse {
  /** `0` means that there was no response. */
  readonly status: number
  readonly code: string
  readonly result: string
  readonly data?: {
    readonly reportId: string
    readonly report: readonly { readonly ref: string; readonly reportCode: string }[]
  }
}

const betweenMs = 50
/** A message whose outcome is lost with its worker is reported after this time. */
const ttlSeconds = 180
/** Codes of the reports of messages that the carrier may have: it has not responded, or has not reported. */
const unknownOutcomes: readonly string[] = ['99999', '22000']
/** Messages that a worker submits at a time at the rate of this traffic, at most. */
export const lostWithWorker = 20
/** The sandbox delivers to numbers with this ending. */
const deliveredEnding = '0001'

export class Traffic {
  /** Attempts that were not answered with A000, each with its reason. */
  readonly failures: string[] = []
  /** Time of the first of them. */
  firstFailureAt: Date | undefined
  /** Longest time without an accepted message, in milliseconds. */
  longestGapMs = 0
  readonly #base: string
  readonly #key: string
  readonly #dispatcher: Agent
  readonly #run = `run${randomBytes(6).toString('hex')}`
  readonly #accepted = new Set<string>()
  readonly #reported = new Map<string, string[]>()
  readonly #batches = new Set<string>()
  readonly #sending: Promise<void>[] = []
  #lastAcceptedMs = performance.now()
  #stopped = false
  /** Response to a send that no retry corrects. */
  #refusal: string | undefined
  #polling = true
  readonly #sendLoop: Promise<void>
  readonly #pollLoop: Promise<void>

  constructor(base: string, key: string, ca?: string) {
    this.#base = base
    this.#key = key
    this.#dispatcher = new Agent({ connections: 16, ...(ca === undefined ? {} : { connect: { ca } }) })
    this.#sendLoop = this.#sendAll()
    this.#pollLoop = this.#poll()
  }

  /**
   * Stops sending, waits until every message is reported, and returns a summary. Throws if a report is missing, repeated or
   * not a delivery; up to `maxUnknown` messages can have an unknown outcome instead.
   */
  async settle(maxUnknown = 0): Promise<string> {
    this.#stopped = true
    await this.#sendLoop
    await Promise.all(this.#sending)
    if (this.#refusal !== undefined) {
      this.abandon()
      throw new Error(`a message was refused: ${this.#refusal}`)
    }
    const complete = await waitForCondition(
      (ttlSeconds + 60) * 1_000,
      () => this.#reported.size >= this.#accepted.size,
    )
    this.#polling = false
    await this.#pollLoop
    await this.#dispatcher.close()
    const missing = [...this.#accepted].filter((ref) => !this.#reported.has(ref))
    const repeated = [...this.#reported].filter(([, codes]) => codes.length > 1)
    const failed = [...this.#reported.values()].flat().filter((code) => code !== '10000')
    const unknown = failed.filter((code) => unknownOutcomes.includes(code)).length
    const others = unknown > maxUnknown ? failed : failed.filter((code) => !unknownOutcomes.includes(code))
    if (!complete || missing.length > 0)
      throw new Error(
        `${missing.length} of ${this.#accepted.size} messages have no report, such as ${missing.slice(0, 1).join()}`,
      )
    if (repeated.length > 0)
      throw new Error(`${repeated.length} messages are reported twice: ${repeated.slice(0, 1).join()}`)
    if (others.length > 0)
      throw new Error(`${others.length} reports have another code, such as ${others.slice(0, 1).join()}`)
    const gap = `longest pause ${(this.longestGapMs / 1000).toFixed(1)} s`
    const outcomes = unknown === 0 ? '' : `, ${unknown} of unknown outcome`
    return `${this.#accepted.size} messages, one report each${outcomes}; ${this.failures.length} failed attempts, ${gap}`
  }

  /** Ends sending and polling without a result. */
  abandon(): void {
    this.#stopped = true
    this.#polling = false
  }

  async #sendAll(): Promise<void> {
    for (let n = 0; !this.#stopped; n++) {
      this.#sending.push(
        this.#send(`${this.#run}-${n}`, `010${String(n % 10_000).padStart(4, '0')}${deliveredEnding}`),
      )
      await pause(betweenMs)
    }
  }

  async #send(ref: string, to: string): Promise<void> {
    const body = JSON.stringify({ from: '0212345678', to, text: `Message ${ref}`, ref })
    const headers = { 'content-type': 'application/json', 'idempotency-key': ref }
    for (;;) {
      const { status, code, result } = await this.#request('POST', `/v1/send/sms?ttl=${ttlSeconds}`, {
        body,
        headers,
      })
      if (code === 'A000') break
      this.failures.push(`${code} ${result}`)
      this.firstFailureAt ??= new Date()
      if (status >= 400 && status < 500 && ![409, 429].includes(status)) {
        this.#refusal = `${code} ${result}`
        this.#stopped = true
        return
      }
      if (!this.#polling) return
      await pause(500)
    }
    const now = performance.now()
    this.longestGapMs = Math.max(this.longestGapMs, now - this.#lastAcceptedMs)
    this.#lastAcceptedMs = now
    this.#accepted.add(ref)
  }

  async #poll(): Promise<void> {
    while (this.#polling) {
      const { data } = await this.#request('GET', '/v1/report/polling')
      if (data === undefined || data.report.length === 0) {
        await pause(200)
        continue
      }
      if (!this.#batches.has(data.reportId))
        for (const { ref, reportCode } of data.report)
          if (ref.startsWith(`${this.#run}-`))
            this.#reported.set(ref, [...(this.#reported.get(ref) ?? []), reportCode])
      this.#batches.add(data.reportId)
      await this.#request('DELETE', `/v1/report/polling/${data.reportId}`)
    }
  }

  async #request(
    method: string,
    path: string,
    more: { body?: string; headers?: object } = {},
  ): Promise<ApiResponse> {
    try {
      const response = await fetch(`${this.#base}${path}`, {
        method,
        dispatcher: this.#dispatcher,
        signal: AbortSignal.timeout(20_000),
        ...(more.body === undefined ? {} : { body: more.body }),
        headers: { authorization: `Bearer ${this.#key}`, ...more.headers },
      })
      return { ...((await response.json()) as Omit<ApiResponse, 'status'>), status: response.status }
    } catch (error) {
      const { message, cause } = error as Error
      return {
        status: 0,
        code: 'none',
        result: cause instanceof Error ? `${message}: ${cause.message}` : message,
      }
    }
  }
}
