/**
 * The bearer token of one login: requested once for all, renewed before it expires, and again when the carrier no longer
 * accepts it. One renewal runs at a time. After a failure the next try waits; until then every caller gets the failure.
 * Used by `host.ts`.
 */
import { backoffMs } from '../../platform/backoff.ts'
import type { HttpClient } from '../http-client.ts'
import { fieldsOf } from '../json.ts'
import { readAnswer, type Answer } from './answer.ts'
import { meaningOf, type CodeOverrides } from '../rcs-codes.ts'

interface Problem {
  readonly kind: 'no-token'
  readonly code: string
  /** The login is refused: only its operator can change that. */
  readonly isAccount: boolean
}

export type Token = { readonly kind: 'token'; readonly authorization: string } | Problem

export interface TokenSettings {
  readonly url: string
  /** The login as JSON. */
  readonly login: string
  readonly codes: CodeOverrides
  readonly tokenMarginMs: number
  readonly tokenLifetimeMs: number
  readonly reconnectMinMs: number
  readonly reconnectMaxMs: number
  readonly accountRetryMs: number
  /** After each request for a token. */
  readonly onResult: (result: Token) => void
}

const maxTokenLength = 8_192
/** Longer lives are not needed, and a timer counts 24 days at most. */
const maxLifetimeMs = 7 * 86_400_000

export class TokenKeeper {
  readonly #client: HttpClient
  readonly #settings: TokenSettings
  #token: Extract<Token, { kind: 'token' }> | undefined
  /** Monotonic. */
  #expiresAt = 0
  #renewal: Promise<Token> | undefined
  #problem: Problem | undefined
  #retryAt = 0
  #failures = 0
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(client: HttpClient, settings: TokenSettings) {
    this.#client = client
    this.#settings = settings
  }

  get isValid(): boolean {
    return this.#token !== undefined && performance.now() < this.#expiresAt
  }

  start(): void {
    void this.#renew()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  get(): Token | Promise<Token> {
    if (this.#token !== undefined && performance.now() < this.#expiresAt) return this.#token
    if (this.#problem !== undefined && performance.now() < this.#retryAt) return this.#problem
    return this.#renew()
  }

  /** The carrier did not accept it. Another one may have replaced it meanwhile. */
  forget(authorization: string): void {
    if (this.#token?.authorization === authorization) this.#token = undefined
  }

  /**
   * A new token was not accepted either: the login waits until its operator has corrected it. When another one has replaced
   * it meanwhile, that one stays in use.
   */
  refuse(authorization: string, code: string): Token {
    if (this.#token?.authorization !== authorization) return { kind: 'no-token', code, isAccount: false }
    this.#token = undefined
    return this.#fail({ kind: 'no-token', code, isAccount: true }, null)
  }

  #renew(): Promise<Token> {
    this.#renewal ??= this.#request().finally(() => (this.#renewal = undefined))
    return this.#renewal
  }

  async #request(): Promise<Token> {
    const { url, login } = this.#settings
    const headers = { 'content-type': 'application/json; charset=utf-8', accept: 'application/json' }
    const result = await this.#client.send({ method: 'POST', url, headers, body: login })
    if (result.kind !== 'answer')
      return this.#fail({ kind: 'no-token', code: `maap:${result.code}`, isAccount: false }, null)
    const answer = readAnswer(result)
    const issued = readToken(answer)
    if (issued === null) return this.#fail(this.#problemOf(answer), answer.retryAfterMs)
    this.#token = { kind: 'token', authorization: `Bearer ${issued.token}` }
    const { tokenMarginMs, tokenLifetimeMs, onResult } = this.#settings
    const lifetimeMs = Math.min(issued.lifetimeMs ?? tokenLifetimeMs, maxLifetimeMs)
    this.#expiresAt = performance.now() + lifetimeMs
    this.#failures = 0
    this.#problem = undefined
    this.#schedule(Math.max(lifetimeMs / 2, lifetimeMs - tokenMarginMs))
    onResult(this.#token)
    return this.#token
  }

  #problemOf({ httpStatus, code }: Answer): Problem {
    const meaning = meaningOf(code, this.#settings.codes)
    const isAccount =
      meaning === 'account' || meaning === 'token' || [400, 401, 403, 404, 405].includes(httpStatus)
    return { kind: 'no-token', code: code === '' ? `http:${httpStatus}` : code, isAccount }
  }

  /** While the old token is valid, it is used. */
  #fail(problem: Problem, retryAfterMs: number | null): Token {
    const { reconnectMinMs, reconnectMaxMs, accountRetryMs, onResult } = this.#settings
    const limits = { firstMs: reconnectMinMs, maxMs: Math.max(reconnectMinMs, reconnectMaxMs) }
    const pauseMs = problem.isAccount ? accountRetryMs : (retryAfterMs ?? backoffMs(this.#failures, limits))
    this.#failures++
    this.#problem = problem
    this.#retryAt = performance.now() + pauseMs
    this.#schedule(pauseMs)
    // A request that a stop has ended is no problem of the login.
    if (!this.#stopped) onResult(problem)
    return this.isValid ? this.#token! : problem
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer)
    if (this.#stopped) return
    this.#timer = setTimeout(() => void this.#renew(), ms)
  }
}

/** Null when the answer has no token that can be sent. */
export function readToken({
  isSuccess,
  data,
}: Answer): { readonly token: string; readonly lifetimeMs: number | null } | null {
  const { accessToken, expiresIn } = fieldsOf(data['tokenInfo'])
  return isSuccess && isToken(accessToken) ? { token: accessToken, lifetimeMs: lifetimeOf(expiresIn) } : null
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxTokenLength && /^[\x21-\x7e]+$/.test(value)
}

/** Seconds, as a text or a number. */
function lifetimeOf(expiresIn: unknown): number | null {
  const text = typeof expiresIn === 'number' ? String(expiresIn) : expiresIn
  if (typeof text !== 'string' || !/^\d{1,9}$/.test(text) || Number(text) === 0) return null
  return Number(text) * 1_000
}
