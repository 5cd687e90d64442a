/**
 * Sends RCS messages over Google RCS Business Messaging. The link comes up with an access token, and goes down when Google
 * refuses the service account and no token is valid. The message id is derived from our reference, so that a repeat is harmless.
 */
import { clock } from '../../../platform/time/clock.ts'
import { AccessToken, type LoginResult } from '../http/access-token.ts'
import type { Capability, Connector, ConnectorContext, Submission, SubmitOutcome } from '../connector.ts'
import { HttpClient, toFailureOutcome } from '../http/http-client.ts'
import { OpenSubmissions } from '../open-submissions.ts'
import { RbmApi } from './api.ts'
import { Capabilities } from './capability.ts'
import { computeExpireTime } from './expiry.ts'
import { RbmFiles } from './files.ts'
import { logInToGoogle } from './login.ts'
import { toAgentMessage } from './message.ts'
import { toRbmMessageId } from './message-id.ts'
import { findAgent, getBaseUrl, type RbmOptions } from './options.ts'
import { toRbmOutcome } from './outcome.ts'
import { toE164 } from '../phone-number.ts'
import { messageRequest } from './requests.ts'
import { parseServiceAccount } from './service-account.ts'
import { UnsupportedContent } from './unsupported.ts'

/** Google returns the message in its response, which has at most 250 KB. */
const maxAnswerBytes = 512 * 1024
const tokenMarginMs = 300_000
/** Tokens are valid for an hour. The default applies to a response without a lifetime. */
const tokenLifetimes = { defaultMs: 300_000, maxMs: 86_400_000 }
/** First pause after a failed login. */
const firstReconnectMs = 500
/** Minimum interval between logs of an error that can affect every message. */
const logEveryMs = 10_000

export class RbmConnector implements Connector {
  readonly repeatable = true
  readonly window: number
  readonly carrierIdFor = toRbmMessageId
  readonly #options: RbmOptions
  readonly #context: ConnectorContext
  readonly #http: HttpClient
  readonly #token: AccessToken
  readonly #api: RbmApi
  readonly #files: RbmFiles
  readonly #capabilities: Capabilities
  readonly #open: OpenSubmissions
  #linked = false
  #agentLoggedAt = -Infinity

  constructor(options: RbmOptions, context: ConnectorContext) {
    this.#options = options
    this.#context = context
    this.window = options.window
    this.#open = new OpenSubmissions('rbm', options.window)
    this.#http = new HttpClient({
      connections: options.window,
      connectTimeoutMs: options.connectTimeoutMs,
      timeoutMs: options.responseTimeoutMs,
      maxAnswerBytes,
    })
    const account = parseServiceAccount(options.serviceAccount)
    this.#token = new AccessToken({
      logIn: () => logInToGoogle(this.#http, account),
      marginMs: tokenMarginMs,
      lifetimes: tokenLifetimes,
      reconnectMinMs: Math.min(firstReconnectMs, options.reconnectMaxMs),
      reconnectMaxMs: options.reconnectMaxMs,
      loginPauseMs: options.loginPauseMs,
      onResult: (result) => this.#onToken(result),
    })
    this.#api = new RbmApi(getBaseUrl(options), this.#http, this.#token)
    this.#files = new RbmFiles(options, this.#api, context)
    this.#capabilities = new Capabilities(options, this.#api)
  }

  get linked(): boolean {
    return this.#linked
  }

  start(): void {
    this.#token.start()
  }

  submit(submission: Submission): Promise<SubmitOutcome> {
    return this.#open.submit(this.#linked, () => this.#submit(submission))
  }

  async capability(to: string): Promise<Capability> {
    const { capabilityCheck, agentId, agents, countryCode } = this.#options
    if (!this.#linked || !capabilityCheck || agentId === undefined || Object.keys(agents).length > 0)
      return 'unknown'
    const number = toE164(to, countryCode)
    return number === null ? 'unknown' : this.#capabilities.find(number, agentId)
  }

  stop(limitMs?: number): Promise<void> {
    this.#token.stop()
    this.#down('stopped')
    return this.#open.drain({ ...this.#options, limitMs }, () => this.#http.stop())
  }

  async #submit(submission: Submission): Promise<SubmitOutcome> {
    const { message, to, files, reference } = submission
    if (message.channel !== 'rcs')
      return refused('unsupported', 'rbm:channel', 'only RCS messages are supported')
    const { content } = message
    const { countryCode } = this.#options
    const number = toE164(to, countryCode)
    if (number === null) return refused('bad-number', 'rbm:number', 'the recipient has no international form')
    const agentId = findAgent(this.#options, content.brandKey)
    if (agentId === undefined)
      return refused('unregistered-sender', 'rbm:brand', 'option agents of the route: brand not found')
    const expireTime = computeExpireTime(this.#options, submission, clock.timeBefore(submission.validUntil))
    const write = (names: ReadonlyMap<string, string>) =>
      toAgentMessage(this.#options, content, expireTime, (key) => names.get(key) ?? '')
    try {
      // Check the content before uploading any file.
      let agentMessage = write(new Map())
      if (files.length > 0) {
        const names = await this.#files.resolve(files, agentId)
        if ('kind' in names) return names
        agentMessage = write(names)
      }
      const messageId = toRbmMessageId(reference)
      return await this.#send(messageRequest(number, messageId, agentId, agentMessage), messageId, number)
    } catch (error) {
      if (error instanceof UnsupportedContent) return error.toOutcome()
      throw error
    }
  }

  async #send(
    request: ReturnType<typeof messageRequest>,
    messageId: string,
    number: string,
  ): Promise<SubmitOutcome> {
    const result = await this.#api.call(request)
    if (result.kind === 'no-token') return { kind: 'unreachable', code: result.code, text: 'no access token' }
    if (result.kind !== 'answer') return toFailureOutcome(result, 'rbm')
    const outcome = toRbmOutcome(this.#options, result, messageId)
    if (outcome.kind === 'accepted') this.#capabilities.record(number, 'capable')
    if (outcome.kind === 'refused' && outcome.code === 'NOT_FOUND')
      this.#capabilities.record(number, 'incapable')
    if (outcome.kind === 'unreachable' && outcome.code === 'PERMISSION_DENIED')
      this.#refuseAgent(outcome.text)
    return outcome
  }

  /**
   * A login that fails without being refused does not take the link down: submissions without a token are `unreachable`, so
   * dispatch repeats them.
   */
  #onToken(result: LoginResult): void {
    const { onEvent, onLink, onLinkFailure, log } = this.#context
    if (result.kind === 'token') {
      onEvent('token-renewed')
      if (this.#linked) return
      this.#linked = true
      onLink(true, 'access token received')
      return
    }
    const { code, isLoginRefused } = result
    if (!isLoginRefused) {
      log.warn({ code }, 'cannot get an access token; retrying')
      if (!this.#linked) onLinkFailure?.(`cannot get an access token: ${code}`)
      return
    }
    onEvent('account-refused')
    log.error(
      { code },
      'Google refuses the service account; messages of the route wait; check serviceAccount and its permissions',
    )
    const reason = `Google refuses the service account: ${code}`
    if (!this.#linked) onLinkFailure?.(reason)
    else if (!this.#token.isValid) this.#down(reason)
  }

  #refuseAgent(text: string): void {
    this.#context.onEvent('agent-refused')
    const now = performance.now()
    if (now - this.#agentLoggedAt < logEveryMs) return
    this.#agentLoggedAt = now
    this.#context.log.error(
      { text },
      'Google does not allow the service account to send for an agent; its messages wait; check agentId and agents',
    )
  }

  #down(reason: string): void {
    if (!this.#linked) return
    this.#linked = false
    this.#context.onLink(false, reason)
  }
}

function refused(
  cause: 'unsupported' | 'bad-number' | 'timeout' | 'unregistered-sender',
  code: string,
  text: string,
): SubmitOutcome {
  return { kind: 'refused', cause, code, text }
}
