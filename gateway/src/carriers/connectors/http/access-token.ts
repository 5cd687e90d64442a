/**
 * Manages the access token of one login at a carrier. The token is requested once for all callers, renewed before it expires,
 * and once more when the carrier refuses it. While renewals fail, the old token is used until it expires; then every caller
 * gets the failure, and no login is attempted until the pause after the last failure ends.
 */
import { backoffMs } from '../../../platform/time/backoff.ts'

export interface IssuedToken {
  readonly kind: 'token'
  /** Value of the Authorization header. */
  readonly authorization: string
  /** `null` if the carrier does not state it. */
  readonly lifetimeMs: number | null
}

export interface NoToken {
  readonly kind: 'no-token'
  readonly code: string
  /**
   * Whether the carrier refuses the login itself, or a token that it has just issued; the operator must correct the
   * credentials.
   */
  readonly isLoginRefused: boolean
  /** Pause requested by the carrier. Used only if longer than the configured pause, and not if `isLoginRefused`. */
  readonly retryAfterMs?: number | null
  /** Set if the connector itself failed. */
  readonly error?: Error
}

export type LoginResult = IssuedToken | NoToken

export interface TokenSettings {
  /** Called for every login, so that it uses the current credentials. */
  readonly logIn: () => Promise<LoginResult>
  /** A token is renewed this long before it expires, or after half of its lifetime if that is later. */
  readonly marginMs: number
  readonly lifetimes: { readonly defaultMs: number; readonly maxMs: number }
  /** First pause after a failed login, doubled after each failure; also the minimum time between renewals. */
  readonly reconnectMinMs: number
  /** Maximum pause after failed logins. */
  readonly reconnectMaxMs: number
  /** Pause after the carrier refused the login. */
  readonly loginPauseMs: number
  /** Called after every login, and when the carrier refuses a token that it has just issued. Not called after `stop`. */
  readonly onResult: (result: LoginResult) => void
}

const maxTokenLength = 8_192

/** Returns the token, or null unless it is printable ASCII without spaces, of at most `maxTokenLength` characters. */
export function readTokenText(value: unknown): string | null {
  const isUsable = typeof value === 'string' && value.length <= maxTokenLength && /^[\x21-\x7e]+$/.test(value)
  return isUsable ? value : null
}

export class AccessToken {
  readonly #settings: TokenSettings
  #token: IssuedToken | undefined
  /** Monotonic time. */
  #expiresAt = 0
  #login: Promise<LoginResult> | undefined
  #problem: NoToken | undefined
  /** Monotonic time at which the pause after the last failure ends. */
  #retryAt = 0
  #failures = 0
  #timer: NodeJS.Timeout | undefined
  readonly #waiting = new Set<() => void>()
  #stopped = false

  constructor(settings: TokenSettings) {
    this.#settings = settings
  }

  get isValid(): boolean {
    return this.#token !== undefined && performance.now() < this.#expiresAt
  }

  /** Logs in, and keeps the token renewed even while no requests are sent. */
  start(): void {
    void this.renew()
  }

  /** Stops renewals and calls of `onResult`. Open requests can still log in. */
  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  /**
   * Calls `send` with a token. If the carrier refuses the token, calls `send` once more with a new one: the carrier has not
   * processed the request. `refusalOf` returns the code of such a response, and null for every other result.
   */
  async use<Result>(
    send: (authorization: string) => Promise<Result>,
    refusalOf: (result: Result) => string | null,
  ): Promise<Result | NoToken> {
    const first = await this.#get()
    if (first.kind === 'no-token') return first
    const result = await send(first.authorization)
    if (refusalOf(result) === null) return result
    // A concurrent call can have replaced it.
    if (this.#token === first) this.#token = undefined
    const second = await this.#get()
    if (second.kind === 'no-token') return second
    const repeated = await send(second.authorization)
    const code = refusalOf(repeated)
    return code === null ? repeated : this.#refuse(second, code)
  }

  /** Returns a new token, or the failure. During the pause after a failure, returns that failure without a login. */
  renew(): Promise<LoginResult> {
    if (this.#problem !== undefined && performance.now() < this.#retryAt)
      return Promise.resolve(this.#problem)
    return this.#logIn()
  }

  /** Renews the token. Resolves once there is a new one, after any number of failures, or when `signal` aborts. */
  async waitForRenewal(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const end = (): void => resolve(undefined)
    this.#waiting.add(end)
    signal.addEventListener('abort', end, { once: true })
    // During a pause, the timer logs in when it ends.
    void this.renew()
    await promise
    this.#waiting.delete(end)
    signal.removeEventListener('abort', end)
  }

  #get(): IssuedToken | Promise<LoginResult> {
    return this.isValid ? this.#token! : this.renew()
  }

  /** Runs one login at a time. */
  #logIn(): Promise<LoginResult> {
    this.#login ??= this.#request()
      .catch((error: unknown) =>
        this.#fail({ kind: 'no-token', code: 'error', isLoginRefused: false, error: error as Error }),
      )
      .finally(() => (this.#login = undefined))
    return this.#login
  }

  async #request(): Promise<LoginResult> {
    const result = await this.#settings.logIn()
    return result.kind === 'token' ? this.#keep(result) : this.#fail(result)
  }

  #keep(token: IssuedToken): IssuedToken {
    const { marginMs, lifetimes, reconnectMinMs, onResult } = this.#settings
    const lifetimeMs = Math.min(token.lifetimeMs ?? lifetimes.defaultMs, lifetimes.maxMs)
    this.#token = token
    this.#expiresAt = performance.now() + lifetimeMs
    this.#failures = 0
    this.#problem = undefined
    // The minimum is needed because some carriers issue the same token until it expires, so its lifetime approaches 0.
    this.#schedule(Math.max(lifetimeMs / 2, lifetimeMs - marginMs, reconnectMinMs))
    if (!this.#stopped) onResult(token)
    for (const end of this.#waiting) end()
    return token
  }

  /** Handles the refusal of a token that was just issued: another login would have the same result. */
  #refuse(token: IssuedToken, code: string): NoToken {
    // A concurrent call has replaced the token; the new one stays in use.
    if (this.#token !== token) return { kind: 'no-token', code, isLoginRefused: false }
    this.#token = undefined
    return this.#fail({ kind: 'no-token', code, isLoginRefused: true })
  }

  #fail(problem: NoToken): NoToken {
    const { reconnectMinMs, reconnectMaxMs, loginPauseMs, onResult } = this.#settings
    const limits = { firstMs: reconnectMinMs, maxMs: Math.max(reconnectMinMs, reconnectMaxMs) }
    // `Retry-After: 0` must not end the pause: logins would repeat as fast as the carrier responds.
    const pauseMs = problem.isLoginRefused
      ? loginPauseMs
      : Math.max(problem.retryAfterMs ?? 0, backoffMs(this.#failures, limits))
    this.#failures++
    this.#problem = problem
    this.#retryAt = performance.now() + pauseMs
    this.#schedule(pauseMs)
    // A request that `stop` aborted is not a login failure.
    if (!this.#stopped) onResult(problem)
    return problem
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer)
    // Ignores `#retryAt`, because a timer can fire slightly before it.
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#logIn(), ms)
  }
}
