/**
 * The connector of a provider. Determines what is certain about a submission: nothing was sent, the provider responded, or
 * the outcome is unknown. When a connection fails or the provider refuses the account, the link pauses, so that no message
 * spends attempts on an unavailable provider. After a refused account a single submission tests whether the provider
 * accepts it again, and the others wait for the result.
 */
import { clock } from '../../../../platform/time/clock.ts'
import type { LoginResult } from '../../http/access-token.ts'
import type {
  RecordedSubmission,
  Connector,
  ConnectorContext,
  LookupResult,
  Submission,
  SubmitOutcome,
} from '../../connector.ts'
import { toFailureOutcome } from '../../http/http-client.ts'
import { OpenSubmissions } from '../../open-submissions.ts'
import { maskValues } from '../../options/secrets.ts'
import { UploadCache } from '../../uploads.ts'
import { isRefusal, refused, type ProviderOutcome, type ProviderRefusal } from './response.ts'
import { ProviderCaller, type ProviderCallResult } from './caller.ts'
import type { ProviderLinkOptions } from './options.ts'
import { pollResults } from './poll.ts'
import type { Provider, ProviderMessage, ProviderRoute } from './provider.ts'
import { createMessage, createRoute, toReceipt } from './route.ts'

const outcomeKinds = new Set(['accepted', 'throttled', 'refused', 'unreachable', 'unknown'])

/** Result pages contain message texts. A truncated page cannot be parsed and would be requested again. */
const maxPageBytes = 8 * 1024 * 1024

export class ProviderConnector implements Connector {
  readonly repeatable: boolean
  readonly window: number
  readonly carrierIdFor?: (reference: string) => string
  readonly lookup?: NonNullable<Connector['lookup']>
  readonly #provider: Provider
  readonly #options: ProviderLinkOptions
  readonly #context: ConnectorContext
  readonly #secrets: readonly string[]
  readonly #route: ProviderRoute<ProviderLinkOptions>
  readonly #caller: ProviderCaller
  readonly #uploads: UploadCache<SubmitOutcome>
  readonly #open: OpenSubmissions
  readonly #stopping = new AbortController()
  #polling: Promise<void> | undefined
  #linked = false
  #pause: NodeJS.Timeout | undefined
  /** Set after the provider refused the account; the next submission tests it. */
  #isAccountRefused = false
  #probe: Promise<SubmitOutcome> | undefined

  /** `secrets` are values that must not be logged. */
  constructor(
    provider: Provider,
    options: ProviderLinkOptions,
    context: ConnectorContext,
    secrets: readonly string[],
  ) {
    this.#provider = provider
    this.#options = options
    this.#context = context
    this.#secrets = secrets
    this.#route = createRoute(options)
    this.repeatable = provider.repeatable === true
    this.window = options.window
    this.#open = new OpenSubmissions(provider.name, options.window)
    this.#caller = new ProviderCaller(provider, this.#route, (result) => this.#onLogin(result))
    this.#uploads = new UploadCache<SubmitOutcome>(context, {
      kind: 'unreachable',
      code: `${provider.name}:file`,
      text: 'a file cannot be read',
    })
    if (provider.ownId !== undefined) this.carrierIdFor = provider.ownId
    const { lookup } = provider
    if (lookup !== undefined)
      this.lookup = {
        lostResponse: lookup.by === 'reference',
        missingReceipt: true,
        find: (submission) => this.#find(submission),
      }
  }

  get linked(): boolean {
    return this.#linked
  }

  start(): void {
    this.#caller.start()
    if (this.#caller.isReady) this.#setLink(true, 'ready')
    const { poll } = this.#provider
    if (poll !== undefined && this.#options.poll === true && this.#context.isFirstOwner)
      this.#polling = pollResults(poll, {
        route: this.#route,
        intervalMs: this.#options.pollIntervalMs ?? poll.everyMs,
        call: (request) =>
          this.#caller.call(request, { signal: this.#stopping.signal, maxAnswerBytes: maxPageBytes }),
        context: this.#context,
        signal: this.#stopping.signal,
      })
  }

  submit(submission: Submission): Promise<SubmitOutcome> {
    return this.#open.submit(this.#linked, () => this.#submitOrWait(submission))
  }

  stop(limitMs?: number): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#pause)
    this.#caller.stopRenewing()
    this.#setLink(false, 'stopped')
    return this.#open.drain({ ...this.#options, limitMs }, () => this.#caller.stop(), this.#polling)
  }

  async #submitOrWait(submission: Submission): Promise<SubmitOutcome> {
    if (!this.#isAccountRefused) return this.#submit(createMessage(submission))
    if (this.#probe === undefined) {
      this.#probe = this.#submit(createMessage(submission))
      return this.#probe.finally(() => (this.#probe = undefined))
    }
    // An error of the probe belongs to its own submission; this one was not sent.
    await this.#probe.catch(() => undefined)
    const isWorthwhile = this.#linked && !clock.hasPassed(submission.validUntil)
    return isWorthwhile ? this.#submitOrWait(submission) : this.#open.down
  }

  async #submit(message: ProviderMessage): Promise<SubmitOutcome> {
    const outcome = await this.#submitWithFiles(message)
    if (outcome.kind !== 'refused' || outcome.cause !== 'attachment' || !this.#forgetFiles(message))
      return outcome
    // The provider may have removed an uploaded file early. It refused the message, so another request is not a duplicate.
    return this.#submitWithFiles(message)
  }

  /** Removes the uploads of the message from the cache. Returns true if one was cached, even if this message uploaded it. */
  #forgetFiles({ files }: ProviderMessage): boolean {
    const { upload } = this.#provider
    const forgotten = files.map((file) => this.#uploads.invalidate(file.key, upload?.place?.(file) ?? ''))
    return forgotten.includes(true)
  }

  async #submitWithFiles(message: ProviderMessage): Promise<SubmitOutcome> {
    const files = await this.#upload(message)
    if (!Array.isArray(files)) return files as SubmitOutcome
    const request = this.#refuseOnError(() =>
      this.#provider.send(message, this.#route, files as readonly string[]),
    )
    if (isRefusal(request)) return request
    // The upload took time: a later step can have started.
    if (clock.hasPassed(message.validUntil)) return this.#open.down
    const result = await this.#caller.call(request)
    if (result.kind !== 'answer') return this.#failed(result)
    return this.#toOutcome(this.#provider.parseResponse(result.answer, message))
  }

  /** Converts an error of the module to a refusal, before submission only; afterwards the outcome is unknown. */
  #refuseOnError<Result extends object>(work: () => Result): Result | ProviderRefusal {
    try {
      const result = work()
      if (typeof result !== 'object') throw new TypeError('the module must return an object')
      return result
    } catch (error) {
      this.#context.log.error(
        { err: error as Error },
        'the module of the provider failed before the message was submitted; the message is refused. Report this bug in the module',
      )
      return refused(
        'failed',
        `${this.#provider.name}:request`,
        'the module failed before the message was submitted',
      )
    }
  }

  /** Returns the references of the message's files at the provider, or the outcome if the message cannot be submitted. */
  async #upload(message: ProviderMessage): Promise<readonly string[] | SubmitOutcome> {
    const { upload, name } = this.#provider
    if (upload === undefined || message.files.length === 0) return []
    const references: string[] = []
    for (const fileReference of message.files) {
      const { key } = fileReference
      const scope = upload.place?.(fileReference) ?? ''
      const found = await this.#uploads.find(key, scope, async (file) => {
        const request = this.#refuseOnError(() => upload.request(file, this.#route, scope))
        if (isRefusal(request)) return { failure: request }
        const result = await this.#caller.call(request)
        // Nothing was submitted, so an upload without a response is repeated with the message.
        if (result.kind === 'no-answer')
          return {
            failure: {
              kind: 'unreachable',
              code: `${name}:${result.code}`,
              text: 'no response to an upload',
            },
          }
        if (result.kind !== 'answer') return { failure: this.#failed(result) }
        const read = this.#refuseOnError(() => upload.read(result.answer))
        if (read.kind === 'uploaded') return { reference: read.reference, lifetimeMs: upload.lifetimeMs }
        const failure = this.#toOutcome(read)
        return { failure: failure.kind === 'unknown' ? { ...failure, kind: 'unreachable' } : failure }
      })
      if (found.kind === 'failed') return found.failure
      if (found.kind === 'foreign' && upload.acceptsUrls !== true)
        return { kind: 'refused', cause: 'attachment', code: `${name}:file`, text: 'file not found' }
      references.push(found.kind === 'foreign' ? key : found.reference)
    }
    return references
  }

  /** Converts the outcome of the module. Pauses the link if the provider refuses the account. */
  #toOutcome(outcome: ProviderOutcome): SubmitOutcome {
    if (outcome.kind === 'account-refused') {
      this.#refuseAccount(`${outcome.code} ${outcome.text}`.trim())
      return { ...outcome, kind: 'unreachable' }
    }
    if (!outcomeKinds.has(outcome.kind)) throw new TypeError('the module returned an unknown kind of outcome')
    this.#isAccountRefused = false
    if (outcome.kind !== 'throttled') return outcome
    return { ...outcome, retryAfterMs: outcome.retryAfterMs ?? this.#options.throttleRetryMs }
  }

  /** Returns the outcome of a request without a response. Pauses the link if the request was certainly not received. */
  #failed(failure: Exclude<ProviderCallResult, { kind: 'answer' }>): SubmitOutcome {
    const { name } = this.#provider
    if (failure.kind === 'no-token') {
      this.#pauseLink(this.#options.reconnectMs, `cannot log in: ${failure.code}`)
      return { kind: 'unreachable', code: `${name}:${failure.code}`, text: 'the provider issued no token' }
    }
    if (failure.kind === 'not-sent') this.#pauseLink(this.#options.reconnectMs, failure.code)
    return toFailureOutcome(failure, name)
  }

  async #find(submission: RecordedSubmission): Promise<LookupResult> {
    const lookup = this.#provider.lookup!
    if (lookup.by === 'carrierId' && submission.carrierId === null)
      return { kind: 'failed', code: 'no-id', text: 'the id at the provider is not known' }
    const result = await this.#caller.call(lookup.request(submission, this.#route))
    if (result.kind !== 'answer')
      return { kind: 'failed', code: result.code, text: 'no response to the query' }
    const found = lookup.read(result.answer, submission)
    if (found === 'not-found') return { kind: 'not-found' }
    if (found === null)
      return { kind: 'failed', code: `http:${result.answer.status}`, text: 'unexpected response' }
    // An endpoint that ignores the filter of the request returns the result of another message.
    const isOther =
      differs(found.reference, submission.reference) ||
      (submission.carrierId !== null && differs(found.id, submission.carrierId))
    if (isOther)
      return { kind: 'failed', code: 'other-message', text: 'the response is about another message' }
    const receipt = { ...toReceipt(found), reference: submission.reference }
    const { carrierId } = receipt
    return { kind: 'found', carrierId, receipt: receipt.result === 'pending' ? null : receipt }
  }

  #onLogin(result: LoginResult): void {
    if (result.kind === 'token') {
      this.#context.onEvent('token-renewed')
      if (!this.#linked && this.#pause === undefined) this.#setLink(true, 'logged in')
    } else if (result.isLoginRefused) this.#refuseAccount(result.code)
    else {
      if (result.error !== undefined) this.#context.log.error({ err: result.error }, 'login failed')
      const reason = `cannot log in: ${result.code}`
      if (!this.#linked) this.#context.onLinkFailure?.(reason)
      // A valid token is used until it expires.
      else if (!this.#caller.isReady) this.#setLink(false, reason)
    }
  }

  #refuseAccount(detail: string): void {
    this.#isAccountRefused = true
    if (this.#stopping.signal.aborted || this.#pause !== undefined) return
    const maskedDetail = maskValues(detail, this.#secrets)
    this.#context.onEvent('account-refused')
    this.#context.log.error(
      { answer: maskedDetail },
      'the provider refuses the account; messages of the route wait; check the credentials of the route and the credit of the account',
    )
    this.#pauseLink(this.#options.loginPauseMs, `the provider refuses the account: ${maskedDetail}`)
  }

  #pauseLink(ms: number, reason: string): void {
    if (this.#stopping.signal.aborted || this.#pause !== undefined) return
    this.#setLink(false, reason)
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      // If no token is valid, `#onLogin` opens the link.
      if (this.#caller.isReady) this.#setLink(true, 'retrying')
    }, ms)
    this.#pause.unref()
  }

  #setLink(up: boolean, reason: string): void {
    if (this.#linked === up) return
    this.#linked = up
    this.#context.onLink(up, reason)
  }
}

/** Returns whether a value is set and differs from the expected one. */
function differs(value: string | undefined, expected: string): boolean {
  return value !== undefined && value !== '' && value !== expected
}
