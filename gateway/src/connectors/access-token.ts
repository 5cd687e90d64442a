/**
 * The access token of one login at a carrier: requested once for all callers, renewed before it expires, and once more when
 * the carrier refuses it. While renewals fail, the old token is used until it expires; then every caller gets the failure,
 * and no login is made before the pause after the last one has passed. Used by connectors whose carrier issues tokens.
 */
import { backoffMs } from '../platform/backoff.ts'

export interface IssuedToken {
  readonly kind: 'token'
  /** The header of requests. */
  readonly authorization: string
  /** Null when the carrier does not state it. */
  readonly lifetimeMs: number | null
}

export interface NoToken {
  readonly kind: 'no-token'
  readonly code: string
  /** The carrier refuses the login: only its operator can change that. */
  readonly isAccount: boolean
  /** The pause that the carrier asks for. A shorter one than that of the settings does not count. */
  readonly retryAfterMs?: number | null
  /** Of the connector itself. */
  readonly error?: Error
}

export type LoginResult = IssuedToken | NoToken

export interface TokenSettings {
  /** Called for every login, so that it uses the credentials of that moment. */
  readonly logIn: () => Promise<LoginResult>
  /** A token is renewed this long before it expires, or after half of its life if that is later. */
  readonly marginMs: number
  readonly lifetimes: { readonly defaultMs: number; readonly maxMs: number }
  /** Of pauses after a login that failed; they double. The shorter one is also the shortest time between renewals. */
  readonly reconnectMinMs: number
  readonly reconnectMaxMs: number
  /** The pause after the carrier refused the login. */
  readonly loginPauseMs: number
  /** Called after every login, and when the carrier refuses a token that it has just issued; not after `stop`. */
  readonly onResult: (result: LoginResult) => void
}

const maxTokenLength = 8_192

/** Null for a text that no header can carry. */
export function readTokenText(value: unknown): string | null {
  const isUsable = typeof value === 'string' && value.length <= maxTokenLength && /^[\x21-\x7e]+$/.test(value)
  return isUsable ? value : null
}

export class AccessToken {
  readonly #settings: TokenSettings
  #token: IssuedToken | undefined
  /** Monotonic. */
  #expiresAt = 0
  #login: Promise<LoginResult> | undefined
  #problem: NoToken | undefined
  /** Monotonic: when the pause after the last failure ends. */
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

  /** From now on there is a token whenever the carrier issues one, whether requests are made or not. */
  start(): void {
    void this.renew()
  }

  /** Ends renewals and reports. Requests that are open may still log in. */
  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  /**
   * Calls `send` with a token. When the carrier refuses the token, `send` is called once more with a new one: the carrier
   * has not processed the request. `refusalOf` gives the code of such an answer, and null for every other result.
   */
  async use<Result>(
    send: (authorization: string) => Promise<Result>,
    refusalOf: (result: Result) => string | null,
  ): Promise<Result | NoToken> {
    const first = await this.#get()
    if (first.kind === 'no-token') return first
    const result = await send(first.authorization)
    if (refusalOf(result) === null) return result
    // Another one may have replaced it meanwhile.
    if (this.#token === first) this.#token = undefined
    const second = await this.#get()
    if (second.kind === 'no-token') return second
    const repeated = await send(second.authorization)
    const code = refusalOf(repeated)
    return code === null ? repeated : this.#refuse(second, code)
  }

  /** A new token, or why there is none. In the pause after a failure no login is made, and the failure is returned again. */
  renew(): Promise<LoginResult> {
    if (this.#problem !== undefined && performance.now() < this.#retryAt)
      return Promise.resolve(this.#problem)
    return this.#logIn()
  }

  /** Renews it and resolves when there is a new one, after any number of failures; or at the signal. */
  async renewed(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const end = (): void => resolve(undefined)
    this.#waiting.add(end)
    signal.addEventListener('abort', end, { once: true })
    // In a pause, the timer logs in at its end.
    void this.renew()
    await promise
    this.#waiting.delete(end)
    signal.removeEventListener('abort', end)
  }

  #get(): IssuedToken | Promise<LoginResult> {
    return this.isValid ? this.#token! : this.renew()
  }

  /** One login at a time. */
  #logIn(): Promise<LoginResult> {
    this.#login ??= this.#request()
      .catch((error: unknown) =>
        this.#fail({ kind: 'no-token', code: 'error', isAccount: false, error: error as Error }),
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
    // With a minimum, because some carriers issue the same token until it expires, and its rest of life approaches 0.
    this.#schedule(Math.max(lifetimeMs / 2, lifetimeMs - marginMs, reconnectMinMs))
    if (!this.#stopped) onResult(token)
    for (const end of this.#waiting) end()
    return token
  }

  /** A token that was issued just now is not accepted: without its operator's help the login would only repeat that. */
  #refuse(token: IssuedToken, code: string): NoToken {
    // Another one has replaced it meanwhile, and stays in use.
    if (this.#token !== token) return { kind: 'no-token', code, isAccount: false }
    this.#token = undefined
    return this.#fail({ kind: 'no-token', code, isAccount: true })
  }

  #fail(problem: NoToken): NoToken {
    const { reconnectMinMs, reconnectMaxMs, loginPauseMs, onResult } = this.#settings
    const limits = { firstMs: reconnectMinMs, maxMs: Math.max(reconnectMinMs, reconnectMaxMs) }
    // `Retry-After: 0` must not end the pause: the login would be repeated as fast as the carrier answers.
    const pauseMs = problem.isAccount
      ? loginPauseMs
      : Math.max(problem.retryAfterMs ?? 0, backoffMs(this.#failures, limits))
    this.#failures++
    this.#problem = problem
    this.#retryAt = performance.now() + pauseMs
    this.#schedule(pauseMs)
    // A request that a stop has ended is no problem of the login.
    if (!this.#stopped) onResult(problem)
    return problem
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer)
    // Without regard to `#retryAt`: a timer may end a moment before it.
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#logIn(), ms)
  }
}
