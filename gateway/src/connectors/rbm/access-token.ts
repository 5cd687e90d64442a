/**
 * The access token of the service account: requested once for all, renewed before it expires and when Google refuses it,
 * with one request at a time. While a renewal fails, the old token is used until it expires.
 */
import { clock } from '../../platform/clock.ts'
import type { HttpClient, HttpFailure } from '../http-client.ts'
import { parseObject, textOf } from './json.ts'
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

export class AccessToken {
  readonly #account: ServiceAccount
  readonly #http: HttpClient
  readonly #onRenewed: () => void
  #token = ''
  /** Monotonic. */
  #renewAt = 0
  #expiresAt = 0
  #renewal: Promise<TokenResult> | undefined

  constructor(account: ServiceAccount, http: HttpClient, onRenewed: () => void) {
    this.#account = account
    this.#http = http
    this.#onRenewed = onRenewed
  }

  async get(): Promise<TokenResult> {
    const now = performance.now()
    if (now < this.#renewAt) return { kind: 'token', token: this.#token }
    const renewal = this.#renew()
    // The old one goes on: no submission waits for the renewal.
    return now < this.#expiresAt ? { kind: 'token', token: this.#token } : renewal
  }

  /** Google no longer accepts it; without effect if it was renewed meanwhile. */
  discard(token: string): void {
    if (token !== this.#token) return
    this.#expiresAt = 0
    this.#renewAt = 0
  }

  #renew(): Promise<TokenResult> {
    this.#renewal ??= this.#request().finally(() => (this.#renewal = undefined))
    return this.#renewal
  }

  async #request(): Promise<TokenResult> {
    const result = await this.#http.send({
      method: 'POST',
      url: this.#account.tokenUrl,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: tokenRequest(this.#account, clock.now()),
    })
    const now = performance.now()
    const answer = result.kind === 'answer' ? readTokenAnswer(result.status, result.body) : null
    if (answer?.kind === 'token') {
      this.#token = answer.token
      this.#expiresAt = now + answer.lifetimeMs
      this.#renewAt = this.#expiresAt - Math.min(marginMs, answer.lifetimeMs / 4)
      this.#onRenewed()
      return answer
    }
    this.#renewAt = Math.min(this.#expiresAt, now + repeatMs)
    if (answer !== null) return answer
    return { kind: 'none', code: `rbm:token-${(result as HttpFailure).code}`, isRefused: false }
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
