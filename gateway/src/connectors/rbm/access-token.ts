/**
 * The access token of the service account: requested once for all, renewed before it expires and when Google refuses it,
 * with one request at a time. While a renewal fails, the old token is used until it expires; then every caller gets the
 * failure until the pause before the next request has passed.
 */
import { backoffMs, type BackoffLimits } from '../../platform/backoff.ts'
import { clock } from '../../platform/clock.ts'
import type { HttpClient, HttpFailure } from '../http-client.ts'
import { parseObject, textOf } from '../json.ts'
import { tokenRequest, type ServiceAccount } from './service-account.ts'

export type TokenResult =
  | { readonly kind: 'token'; readonly token: string }
  /** `isRefused`: Google does not know the account or its key; an operator must correct it. */
  | { readonly kind: 'none'; readonly code: string; readonly isRefused: boolean }

const maxTokenLength = 8_192
const maxLifetimeSeconds = 86_400
/** For an answer that does not say. */
const unknownLifetimeSeconds = 300
const marginMs = 300_000
/** Between renewals that fail while the old token is valid. */
const repeatMs = 10_000
const firstRetryMs = 500

/** Pauses between requests while there is no valid token, up to `maxMs`. */
export function loginBackoff(maxMs: number): BackoffLimits {
  return { firstMs: Math.min(firstRetryMs, maxMs), maxMs }
}

interface TokenSettings {
  /** Longest pause between requests that fail. */
  readonly retryMs: number
  readonly onRenewed: () => void
}

export class AccessToken {
  readonly #account: ServiceAccount
  readonly #http: HttpClient
  readonly #settings: TokenSettings
  #token = ''
  /** Monotonic. */
  #renewAt = 0
  #expiresAt = 0
  #renewal: Promise<TokenResult> | undefined
  /** The last request failed. */
  #failure: Extract<TokenResult, { kind: 'none' }> | undefined
  #failures = 0
  #retryAt = 0

  constructor(account: ServiceAccount, http: HttpClient, settings: TokenSettings) {
    this.#account = account
    this.#http = http
    this.#settings = settings
  }

  async get(): Promise<TokenResult> {
    const now = performance.now()
    if (this.#failure !== undefined && now >= this.#expiresAt && now < this.#retryAt) return this.#failure
    return this.getWithoutPause()
  }

  /** For a caller with pauses of its own. */
  async getWithoutPause(): Promise<TokenResult> {
    const now = performance.now()
    if (now < this.#renewAt) return { kind: 'token', token: this.#token }
    const renewal = this.#renew()
    // The old one goes on: no submission waits for the renewal.
    return now < this.#expiresAt ? { kind: 'token', token: this.#token } : renewal
  }

  /** Google no longer accepts it. False, and without effect, if it was renewed meanwhile. */
  discard(token: string): boolean {
    if (token !== this.#token) return false
    this.#expiresAt = 0
    this.#renewAt = 0
    return true
  }

  #renew(): Promise<TokenResult> {
    this.#renewal ??= this.#request().finally(() => (this.#renewal = undefined))
    return this.#renewal
  }

  async #request(): Promise<TokenResult> {
    let body: string
    try {
      body = tokenRequest(this.#account, clock.now())
    } catch {
      return this.#fail({ kind: 'none', code: 'rbm:token-key', isRefused: true })
    }
    const result = await this.#http.send({
      method: 'POST',
      url: this.#account.tokenUrl,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
    const now = performance.now()
    const answer = result.kind === 'answer' ? readTokenAnswer(result.status, result.body) : null
    if (answer?.kind === 'token') {
      this.#token = answer.token
      this.#expiresAt = now + answer.lifetimeMs
      this.#renewAt = this.#expiresAt - Math.min(marginMs, answer.lifetimeMs / 4)
      this.#failure = undefined
      this.#failures = 0
      this.#settings.onRenewed()
      return answer
    }
    const code = `rbm:token-${(result as HttpFailure).code}`
    return this.#fail(answer ?? { kind: 'none', code, isRefused: false })
  }

  #fail(failure: Extract<TokenResult, { kind: 'none' }>): TokenResult {
    const now = performance.now()
    this.#renewAt = Math.min(this.#expiresAt, now + repeatMs)
    this.#failure = failure
    this.#retryAt = now + backoffMs(this.#failures++, loginBackoff(this.#settings.retryMs))
    return failure
  }
}

type TokenAnswer =
  | { readonly kind: 'token'; readonly token: string; readonly lifetimeMs: number }
  | Extract<TokenResult, { readonly kind: 'none' }>

/** Pure. */
export function readTokenAnswer(status: number, body: Buffer): TokenAnswer {
  const { access_token: given, expires_in: expiresIn, error } = parseObject(body.toString()) ?? {}
  const token = textOf(given)
  if (status === 200 && isUsable(token))
    return { kind: 'token', token, lifetimeMs: lifetimeSeconds(expiresIn) * 1000 }
  const reason = textOf(error)
  const code = /^[a-z_]{1,32}$/.test(reason) ? reason : String(status)
  return {
    kind: 'none',
    code: `rbm:token-${code}`,
    isRefused: status >= 300 && status < 500 && status !== 429,
  }
}

function isUsable(token: string): boolean {
  return token.length <= maxTokenLength && /^[\x21-\x7e]+$/.test(token)
}

function lifetimeSeconds(expiresIn: unknown): number {
  if (typeof expiresIn !== 'number' || !(expiresIn > 0)) return unknownLifetimeSeconds
  return Math.min(expiresIn, maxLifetimeSeconds)
}
