import { setTimeout as pause } from 'node:timers/promises'
import { AccountClient, type Credentials, type Envelope } from '../../support/processes/account-client.ts'
import type { HttpResponse } from '../../support/processes/json-http.ts'

export interface SteadySend {
  readonly startedAt: number
  readonly ms: number
  /** HTTP status and code of the first response, or the error if there was none. */
  readonly response: string
}

/**
 * Sends at a fixed rate independent of responses and records them. Replaces expired tokens and retries after
 * a 429 or 503. A send that may have been accepted counts as unanswered.
 */
export class SteadyClient {
  readonly client: AccountClient
  /** Sends in the order in which they ended. */
  readonly sends: SteadySend[] = []
  /** msgKeys of accepted messages. */
  readonly accepted: string[] = []
  /** Number of requests that may have been accepted: without a response, or with a 503 that says so. */
  unanswered = 0
  readonly #prefix: string
  #stopping = false
  #running: Promise<void>[] = []
  #login: Promise<unknown> | undefined

  constructor(url: string, credentials: Credentials, prefix: string) {
    this.client = new AccountClient(url, credentials, { connections: 64, timeoutMs: 10_000 })
    this.#prefix = prefix
  }

  start(perSecond: number): void {
    this.#running = [this.#run(perSecond)]
  }

  async stop(): Promise<void> {
    this.#stopping = true
    for (let index = 0; index < this.#running.length; index++) await this.#running[index]
  }

  /** Retries a request while its token or rate is rejected or the response is 503. */
  async requestWithRetry<Body extends Envelope>(
    request: () => Promise<HttpResponse<Body>>,
  ): Promise<HttpResponse<Body>> {
    for (;;) {
      const response = await request()
      const { httpStatus, body } = response
      if (![429, 503].includes(httpStatus) && body.code !== 'A001' && body.code !== 'A002') return response
      if (httpStatus === 503) await pause(100)
      else if (httpStatus === 429) await pause(1_000)
      else await this.login()
    }
  }

  /** Logs in. Concurrent requests share one login. */
  login(): Promise<unknown> {
    this.#login ??= this.#enter().finally(() => (this.#login = undefined))
    return this.#login
  }

  async #enter(): Promise<void> {
    while ((await this.client.login()).httpStatus !== 200) await pause(100)
  }

  async #run(perSecond: number): Promise<void> {
    const started = performance.now()
    for (let count = 0; !this.#stopping; count++) {
      const wait = started + (count * 1000) / perSecond - performance.now()
      if (wait > 0) await pause(wait)
      this.#running.push(this.#send(count))
    }
  }

  async #send(count: number): Promise<void> {
    const startedAt = performance.now()
    const to = `010${String(count % 10_000).padStart(4, '0')}7358`
    const body = { from: '0212345678', to, text: `${this.#prefix} ${count}`, ref: `${this.#prefix}-${count}` }
    let first: SteadySend | undefined
    const note = (response: string): void => {
      first ??= { startedAt, ms: performance.now() - startedAt, response }
    }
    try {
      const { body: accepted } = await this.requestWithRetry(async () => {
        const attempt = await this.client.send('sms', body)
        if (attempt.httpStatus === 503 && attempt.headers['message-accepted'] !== 'no') this.unanswered++
        note(`${attempt.httpStatus} ${attempt.body.code}`)
        return attempt
      })
      if (accepted.msgKey !== undefined) this.accepted.push(accepted.msgKey)
    } catch (error) {
      note((error as Error).message)
      this.unanswered++
    }
    this.sends.push(first!)
  }
}
