/**
 * The connector to a service with the API of this gateway. The link is up while the account can log in and read results.
 * It repeats a send only where the service has certainly accepted nothing: after a token or a file that it refused.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { backoffMs } from '../../platform/backoff.ts'
import { clock } from '../../platform/clock.ts'
import type { Connector, ConnectorContext, Submission, SubmitOutcome } from '../connector.ts'
import { OpenSubmissions } from '../open-submissions.ts'
import { UpstreamFiles } from './files.ts'
import type { OmniOptions } from './options.ts'
import { readOutcome } from './outcome.ts'
import { toRequest, type SendRequest } from './request.ts'
import { ResultsReader } from './results.ts'
import { Upstream } from './upstream.ts'

/** Sends that dispatch may repeat. */
const maxSent = 10_000

/** A send and the key that makes its repeat harmless. */
interface Prepared extends SendRequest {
  readonly idempotencyKey: string
}

interface Sent {
  readonly prepared: Prepared
  /** No answer has said that the service did not accept it. */
  readonly mayBeAccepted: boolean
}

export class OmniConnector implements Connector {
  readonly repeatable: boolean
  readonly window: number
  readonly #options: OmniOptions
  readonly #context: ConnectorContext
  readonly #upstream: Upstream
  readonly #files: UpstreamFiles
  readonly #results: ResultsReader
  readonly #sent = new LRUCache<string, Sent>({ max: maxSent })
  readonly #open: OpenSubmissions
  readonly #stopping = new AbortController()
  #session = new AbortController()
  #running: Promise<void> | undefined
  #linked = false
  /** The account was refused: the next login waits for longer. */
  #refused = false
  /** Paths of channels that the account may not use, since the last login. */
  readonly #refusedChannels = new Set<string>()

  constructor(options: OmniOptions, context: ConnectorContext) {
    this.#options = options
    this.#context = context
    this.window = options.window
    this.repeatable = options.idempotency
    this.#open = new OpenSubmissions('omni', options.window)
    this.#upstream = new Upstream(options, context)
    this.#files = new UpstreamFiles(this.#upstream, context, options.throttleRetryMs)
    this.#results = new ResultsReader(options, this.#upstream, context)
  }

  get linked(): boolean {
    return this.#linked
  }

  start(): void {
    this.#running ??= this.#run()
  }

  submit(submission: Submission): Promise<SubmitOutcome> {
    return this.#open.submit(this.#linked, () => this.#submit(submission))
  }

  stop(limitMs?: number): Promise<void> {
    this.#stopping.abort()
    this.#down('stopped')
    return this.#open.drain({ ...this.#options, limitMs }, () => this.#upstream.stop(), this.#running)
  }

  async #submit(submission: Submission): Promise<SubmitOutcome> {
    const { reference, files } = submission
    const before = this.#sent.get(reference)
    // What may have been accepted must have the same body again. Otherwise its time limit is what is left of it now.
    const prepared =
      before?.mayBeAccepted === true ? before.prepared : await this.#prepare(submission, reference)
    if ('kind' in prepared) return prepared
    const outcome = await this.#send(prepared)
    // A service may remember the body of a request that it did not accept, and take no other one.
    if (before !== undefined && before.prepared !== prepared && 'code' in outcome && outcome.code === 'A021')
      return this.#remember(reference, before.prepared, await this.#send(before.prepared))
    if (outcome.kind !== 'refused' || outcome.code !== 'A217' || files.length === 0)
      return this.#remember(reference, prepared, outcome)
    // The service has removed a file before its time. It refused the message, so another send is not a second one.
    this.#files.forget(files)
    const again = await this.#prepare(submission, `${reference}-F`)
    if ('kind' in again) return again
    return this.#remember(reference, again, await this.#send(again))
  }

  async #prepare(submission: Submission, idempotencyKey: string): Promise<Prepared | SubmitOutcome> {
    const files = await this.#files.resolve(submission.files)
    if ('kind' in files) return files
    return { ...toRequest(submission, files, clock.now(), this.#options), idempotencyKey }
  }

  #remember(reference: string, prepared: Prepared, outcome: SubmitOutcome): SubmitOutcome {
    const { kind } = outcome
    if (this.repeatable && kind !== 'accepted' && kind !== 'refused') {
      const mayBeAccepted = kind === 'unknown' || this.#sent.get(reference)?.mayBeAccepted === true
      this.#sent.set(reference, { prepared, mayBeAccepted })
    } else this.#sent.delete(reference)
    return outcome
  }

  async #send({ path, body, idempotencyKey }: Prepared): Promise<SubmitOutcome> {
    const headers = {
      'content-type': 'application/json',
      ...(this.#options.idempotency ? { 'idempotency-key': idempotencyKey } : {}),
    }
    const result = await this.#upstream.call({ method: 'POST', path, headers, body })
    const { outcome, link } = readOutcome(result, this.#options.throttleRetryMs)
    const code = outcome.kind === 'accepted' ? '' : outcome.code
    if (link === 'foreign' && !(await this.#upstream.isAccountAccepted())) {
      this.#refuse(code)
      return { kind: 'unreachable', code, text: 'the service refuses the account' }
    }
    if (link === 'lost') this.#down(`the service cannot be reached: ${code}`)
    if (link === 'account') this.#refuse(code)
    if (link === 'channel') this.#refuseChannel(path, code)
    return outcome
  }

  /** Logs in, reads results until the link is lost, and logs in again. */
  async #run(): Promise<void> {
    const { signal } = this.#stopping
    for (let failures = 0; !signal.aborted; failures++) {
      this.#refused = false
      try {
        if (await this.#logIn()) {
          failures = 0
          await this.#readResults()
        }
      } catch (error) {
        this.#context.log.error(
          { err: error as Error },
          'the connector failed; it logs in again. This is an error in the connector',
        )
        this.#down('an error of the connector')
      }
      await pause(this.#pauseMs(failures), undefined, { signal }).catch(() => undefined)
    }
  }

  #pauseMs(failures: number): number {
    const { reconnectMinMs, reconnectMaxMs, accountRetryMs } = this.#options
    if (this.#refused) return accountRetryMs
    return backoffMs(failures, { firstMs: reconnectMinMs, maxMs: Math.max(reconnectMinMs, reconnectMaxMs) })
  }

  async #logIn(): Promise<boolean> {
    const token = await this.#upstream.token(true)
    const problem = token.kind === 'token' ? await this.#results.check(this.#stopping.signal) : null
    if (this.#stopping.signal.aborted) return false
    if (token.kind !== 'token') {
      if (token.accountRefused) this.#refuse(token.code)
      else this.#context.log.warn({ code: token.code }, 'cannot log in at the service; trying again')
      return false
    }
    if (problem?.link === 'account') this.#refuse(problem.code)
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
    else this.#down(`the service cannot be reached: ${problem.code}`)
  }

  /** The account, not the message: everything waits until its operator has corrected it. */
  #refuse(code: string): void {
    if (!this.#refused) {
      this.#context.onEvent('account-refused')
      this.#context.log.error(
        { code },
        'the service refuses the account; messages of the route wait. Check baseUrl, clientId, password and the rights of the account',
      )
    }
    this.#refused = true
    this.#down(`the service refuses the account: ${code}`)
  }

  #refuseChannel(path: string, code: string): void {
    this.#context.onEvent('channel-refused')
    if (this.#refusedChannels.has(path)) return
    this.#refusedChannels.add(path)
    this.#context.log.error(
      { path, code },
      'the account at the service may not use this channel; its messages wait. Allow the channel there, or remove it from the route',
    )
  }

  #down(reason: string): void {
    this.#session.abort()
    if (!this.#linked) return
    this.#linked = false
    this.#context.onLink(false, reason)
  }
}
