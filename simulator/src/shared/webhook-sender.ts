/**
 * Posts receipts to the client until each is acknowledged, a limited number concurrently, and retries those
 * refused or unanswered after a delay. Each receipt is counted once as acknowledged or abandoned. close() and
 * clear() leave no timer or request behind.
 */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { Fifo } from './fifo.ts'
import { TimerWheel } from './timer-wheel.ts'

export interface Webhook {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
  /**
   * Called before every attempt. Returning true abandons the receipt because there is nothing left to report.
   */
  readonly withdrawn?: () => boolean
}

export interface WebhookResponse {
  readonly status: number
  readonly body: Buffer
}

export interface WebhookOptions {
  /** Maximum concurrent requests. */
  readonly window: number
  readonly timeoutMs: number
  /** Delay after a failed attempt. */
  readonly retryMs: number
  /** Maximum delay of the exponential backoff. Without it, the delay is constant. */
  readonly maxRetryMs?: number | undefined
  /** Attempts before a receipt is abandoned; 0 for no limit. */
  readonly maxTries: number
  readonly acknowledges: (reply: WebhookResponse) => boolean
}

export interface WebhookCounters {
  /** Requests sent, including retries. */
  receiptsSent: number
  receiptsRepeated: number
  receiptsAnswered: number
  receiptsGivenUp: number
  receiptsPending: number
}

interface Pending {
  readonly webhook: Webhook
  /** A reset starts a new generation. Requests of older generations no longer count. */
  readonly generation: number
  tries: number
  readonly settled: (acknowledged: boolean) => void
}

const MAX_REPLY_BYTES = 65_536

function newCounters(): WebhookCounters {
  return { receiptsSent: 0, receiptsRepeated: 0, receiptsAnswered: 0, receiptsGivenUp: 0, receiptsPending: 0 }
}

export class WebhookSender {
  counters = newCounters()
  readonly #options: WebhookOptions
  readonly #queue = new Fifo<Pending>()
  readonly #unsettled = new Set<Pending>()
  readonly #timers = new TimerWheel()
  readonly #http: HttpAgent
  readonly #https: HttpsAgent
  readonly #open = new Set<AbortController>()
  #generation = 0
  #paused = false
  #closed = false

  constructor(options: WebhookOptions) {
    this.#options = options
    this.#http = new HttpAgent({ keepAlive: true, maxSockets: options.window })
    this.#https = new HttpsAgent({ keepAlive: true, maxSockets: options.window })
  }

  /** Sends after `delayMs`. Resolves true if acknowledged, false if abandoned, cleared or closed. */
  send(webhook: Webhook, delayMs = 0): Promise<boolean> {
    if (this.#closed) return Promise.resolve(false)
    return new Promise((settled) => {
      this.counters.receiptsPending++
      const pending = { webhook, generation: this.#generation, tries: 0, settled }
      this.#unsettled.add(pending)
      this.#enqueue(pending, delayMs)
    })
  }

  pause(): void {
    this.#paused = true
  }

  resume(): void {
    this.#paused = false
    this.#pump()
  }

  /** Drops pending receipts and resets the counters. */
  clear(): void {
    this.#generation++
    this.#timers.clear()
    for (const controller of this.#open) controller.abort()
    this.#open.clear()
    this.#queue.clear()
    for (const { settled } of this.#unsettled) settled(false)
    this.#unsettled.clear()
    this.counters = newCounters()
  }

  close(): void {
    this.#closed = true
    this.clear()
    this.#http.destroy()
    this.#https.destroy()
  }

  #enqueue(pending: Pending, delayMs: number): void {
    if (delayMs > 0) return this.#timers.after(delayMs, () => this.#enqueue(pending, 0))
    this.#queue.push(pending)
    this.#pump()
  }

  #pump(): void {
    while (!this.#paused && !this.#closed && this.#open.size < this.#options.window && this.#queue.size > 0) {
      void this.#try(this.#queue.shift()!)
    }
  }

  async #try(pending: Pending): Promise<void> {
    if (pending.webhook.withdrawn?.() === true) return this.#end(pending, false)
    const controller = new AbortController()
    this.#open.add(controller)
    this.counters.receiptsSent++
    if (pending.tries++ > 0) this.counters.receiptsRepeated++
    const timeout = setTimeout(() => controller.abort(), this.#options.timeoutMs)
    let acknowledged = false
    try {
      acknowledged = this.#options.acknowledges(await this.#post(pending.webhook, controller.signal))
    } catch {
      // A refused connection, timeout or unreadable response does not acknowledge the receipt.
    }
    clearTimeout(timeout)
    this.#open.delete(controller)
    if (pending.generation === this.#generation) this.#settle(pending, acknowledged)
    this.#pump()
  }

  #settle(pending: Pending, acknowledged: boolean): void {
    const { maxTries } = this.#options
    const abandoned = !acknowledged && maxTries > 0 && pending.tries >= maxTries
    if (!acknowledged && !abandoned) return this.#enqueue(pending, this.#retryDelay(pending.tries))
    this.#end(pending, acknowledged)
  }

  #retryDelay(tries: number): number {
    const { retryMs, maxRetryMs } = this.#options
    const delay = maxRetryMs === undefined ? retryMs : Math.min(maxRetryMs, retryMs * 2 ** (tries - 1))
    return Math.max(1, delay)
  }

  #end(pending: Pending, acknowledged: boolean): void {
    if (acknowledged) this.counters.receiptsAnswered++
    else this.counters.receiptsGivenUp++
    this.counters.receiptsPending--
    this.#unsettled.delete(pending)
    pending.settled(acknowledged)
  }

  #post({ url, headers, body }: Webhook, signal: AbortSignal): Promise<WebhookResponse> {
    const isSecure = url.startsWith('https:')
    return new Promise((resolve, reject) => {
      const request = (isSecure ? httpsRequest : httpRequest)(url, {
        method: 'POST',
        agent: isSecure ? this.#https : this.#http,
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        signal,
      })
      request.once('error', reject)
      request.once('response', (response) => {
        const chunks: Buffer[] = []
        let size = 0
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > MAX_REPLY_BYTES) request.destroy(new Error('response too large'))
          else chunks.push(chunk)
        })
        response.once('error', reject)
        response.once('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }))
      })
      request.end(body)
    })
  }
}
