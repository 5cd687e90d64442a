import { runAbortable } from './abortable.ts'
import { AuthenticationError, type ResponseBody } from './errors.ts'
import type { HttpRequest, HttpResponse } from './http.ts'
import type { Settings } from './options.ts'
import type { TokenResponse } from './generated/types.ts'

type RequestToken = (request: HttpRequest) => Promise<HttpResponse<ResponseBody>>

interface Token {
  readonly value: string
  /** Value of `performance.now()`, because the clocks of this machine and the gateway can differ. */
  readonly renewAt: number
  readonly endsAt: number
}

/**
 * Provides the Authorization header. Concurrent calls share one token request. A token is renewed in the
 * background when a tenth of its lifetime is left, so calls do not wait for it.
 */
export class Tokens {
  readonly #request: HttpRequest | undefined
  readonly #requestToken: RequestToken
  #token: Token | undefined
  #renewal: Promise<Token> | undefined

  constructor({ credentials, baseUrl, credentialPrefix }: Settings, requestToken: RequestToken) {
    this.#requestToken = requestToken
    if ('apiKey' in credentials) {
      this.#token = { value: `Bearer ${credentials.apiKey}`, renewAt: Infinity, endsAt: Infinity }
      return
    }
    const headers = {
      [`x-${credentialPrefix}-client-id`]: credentials.clientId,
      [`x-${credentialPrefix}-client-passwd`]: credentials.password,
    }
    this.#request = { method: 'POST', url: `${baseUrl}/v1/auth/token`, headers }
  }

  /** `signal` ends only the wait of this call, not the shared token request. */
  async authorization(signal: AbortSignal): Promise<string> {
    const now = performance.now()
    const token = this.#token
    if (token === undefined || now >= token.endsAt) {
      const renewed = await runAbortable<Token>((resolve, reject) => {
        this.#renew().then(resolve, reject)
        return undefined
      }, signal)
      return renewed.value
    }
    // Ignore failures: the token is still valid, and the next call retries.
    if (now >= token.renewAt) this.#renew().catch(() => undefined)
    return token.value
  }

  /** Discards a token after a 401; calls that used it share one token request. Returns false for an API key. */
  discard(authorization: string): boolean {
    if (this.#request === undefined) return false
    if (this.#token?.value === authorization) this.#token = undefined
    return true
  }

  #renew(): Promise<Token> {
    this.#renewal ??= this.#fetchToken().finally(() => (this.#renewal = undefined))
    return this.#renewal
  }

  async #fetchToken(): Promise<Token> {
    const { body, headers } = await this.#requestToken(this.#request!)
    const { schema, token, expired } = (body as unknown as TokenResponse).data
    const issuedAt = Date.parse(headers.get('date') ?? '') || Date.now()
    const lifetime = Date.parse(expired) - issuedAt
    // An expired token would cause a token request for every call.
    if (!(lifetime > 0)) {
      throw new AuthenticationError({
        code: 'A001',
        result: 'the gateway issued an expired token',
        status: 401,
      })
    }
    const now = performance.now()
    this.#token = { value: `${schema} ${token}`, renewAt: now + lifetime * 0.9, endsAt: now + lifetime }
    return this.#token
  }
}
