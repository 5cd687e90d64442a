/** The connector to a service with the API of this gateway. The link is up while it can log in and read results. */
import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../../../platform/time/backoff.ts'
import type { LoginResult } from '../http/access-token.ts'
import type { Connector, ConnectorContext, Submission, SubmitOutcome } from '../connector.ts'
import { OpenSubmissions } from '../open-submissions.ts'
import type { OmniOptions } from './options.ts'
import { ResultsReader } from './results.ts'
import { OmniSender, type SendProblem } from './sender.ts'
import { Upstream } from './upstream.ts'

export class OmniConnector implements Connector {
  readonly repeatable: boolean
  readonly window: number
  readonly #options: OmniOptions
  readonly #context: ConnectorContext
  readonly #upstream: Upstream
  readonly #sender: OmniSender
  readonly #results: ResultsReader
  readonly #open: OpenSubmissions
  readonly #stopping = new AbortController()
  #session = new AbortController()
  #running: Promise<void> | undefined
  #linked = false
  /** Whether the account was refused; the next login then waits longer. */
  #refused = false
  /** Paths of channels that the account is not allowed to use, since the last login. */
  readonly #refusedChannels = new Set<string>()

  constructor(options: OmniOptions, context: ConnectorContext) {
    this.#options = options
    this.#context = context
    this.window = options.window
    this.repeatable = options.idempotency
    this.#open = new OpenSubmissions('omni', options.window)
    this.#upstream = new Upstream(options, (result) => this.#onToken(result))
    this.#sender = new OmniSender(options, this.#upstream, context, (problem) => this.#onProblem(problem))
    this.#results = new ResultsReader(options, this.#upstream, context)
  }

  get linked(): boolean {
    return this.#linked
  }

  start(): void {
    this.#running ??= this.#run()
  }

  submit(submission: Submission): Promise<SubmitOutcome> {
    return this.#open.submit(this.#linked, () => this.#sender.submit(submission))
  }

  stop(limitMs?: number): Promise<void> {
    this.#stopping.abort()
    this.#upstream.token.stop()
    this.#down('stopped')
    return this.#open.drain({ ...this.#options, limitMs }, () => this.#upstream.stop(), this.#running)
  }

  /** Logs in, reads results until the link is lost, and logs in again. */
  async #run(): Promise<void> {
    const { signal } = this.#stopping
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        await this.#upstream.token.waitForRenewal(signal)
        this.#refused = false
        if (await this.#connect()) {
          failures = 0
          await this.#readResults()
        }
      } catch (error) {
        this.#logError(error as Error)
        this.#down('connector error')
      }
      await pause(this.#pauseMs(failures), undefined, { signal }).catch(() => undefined)
    }
  }

  #onProblem({ link, code, path }: SendProblem): void {
    if (link === 'lost') this.#down(`service unreachable: ${code}`)
    else if (link === 'account') this.#refuse(code)
    else this.#refuseChannel(path, code)
  }

  #pauseMs(failures: number): number {
    const { reconnectMinMs, reconnectMaxMs, loginPauseMs } = this.#options
    if (this.#refused) return loginPauseMs
    return backoffMs(failures, { firstMs: reconnectMinMs, maxMs: Math.max(reconnectMinMs, reconnectMaxMs) })
  }

  #onToken(result: LoginResult): void {
    if (result.kind === 'token') {
      this.#context.onEvent('token-renewed')
    } else if (result.isLoginRefused) {
      // Every refused login is logged.
      this.#refused = false
      this.#logRefusal(result.code)
      if (!this.#upstream.token.isValid) this.#down(`the service refuses the account: ${result.code}`)
    } else if (result.error !== undefined) {
      this.#logError(result.error)
      this.#notLinked('connector error')
    } else {
      this.#context.log.warn({ code: result.code }, 'cannot log in to the service; retrying')
      this.#notLinked(`cannot log in to the service: ${result.code}`)
    }
  }

  /**
   * Opens the link, unless a request for results shows that the account is refused or the service is unreachable. Returns
   * whether it did.
   */
  async #connect(): Promise<boolean> {
    const { signal } = this.#stopping
    const problem = signal.aborted ? null : await this.#results.check(signal)
    if (signal.aborted) return false
    if (problem?.link === 'account') this.#refuse(problem.code)
    else if (problem !== null) this.#notLinked(`service unreachable: ${problem.code}`)
    if (problem !== null) return false
    this.#session = new AbortController()
    this.#refusedChannels.clear()
    this.#linked = true
    this.#context.onLink(true, 'logged in')
    return true
  }

  async #readResults(): Promise<void> {
    const { signal } = this.#session
    if (this.#options.results === 'webhook')
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    const problem = await this.#results.run(signal)
    if (problem === null) return
    if (problem.link === 'account') this.#refuse(problem.code)
    else this.#down(`service unreachable: ${problem.code}`)
  }

  /** Takes the link down: the account is refused, not the message, and everything waits until an operator has corrected it. */
  #refuse(code: string): void {
    this.#logRefusal(code)
    this.#down(`the service refuses the account: ${code}`)
  }

  #logRefusal(code: string): void {
    if (this.#refused) return
    this.#refused = true
    this.#context.onEvent('account-refused')
    this.#context.log.error(
      { code },
      'the service refuses the account; messages of the route wait; check url, clientId, password and the permissions of the account',
    )
  }

  #logError(error: Error): void {
    this.#context.log.error(
      { err: error },
      'the connector failed; it logs in again. Report this bug in the connector',
    )
  }

  #refuseChannel(path: string, code: string): void {
    this.#context.onEvent('channel-refused')
    if (this.#refusedChannels.has(path)) return
    this.#refusedChannels.add(path)
    this.#context.log.error(
      { path, code },
      'the service does not allow this channel for the account; its messages wait; allow the channel there, or remove it from the route',
    )
  }

  #down(reason: string): void {
    this.#session.abort()
    if (!this.#linked) return this.#notLinked(reason)
    this.#linked = false
    this.#context.onLink(false, reason)
  }

  #notLinked(reason: string): void {
    if (!this.#linked && !this.#stopping.signal.aborted) this.#context.onLinkFailure?.(reason)
  }
}
