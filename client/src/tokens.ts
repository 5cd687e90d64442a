/**
 * The value of the Authorization header. A token is requested once for all calls that wait for it, and renewed in the
 * background when a tenth of its lifetime is left, so that no call has to wait for a new one.
 */
import { abortable } from './abortable.ts'
import { AuthenticationError } from './errors.ts'
import type { HttpRequest, HttpResponse } from './http.ts'
import type { Settings } from './options.ts'
import type { TokenAnswer } from './generated/types.ts'

type RequestToken = (request: HttpRequest) => Promise<HttpResponse>

interface Token {
  readonly value: string
  /** By performance.now(): the clock of this machine need not agree with that of the gateway. */
  readonly renewAt: number
  readonly endsAt: number
}

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

  /** The signal ends the wait of one call, not the request, which other calls share. */
  async authorization(signal: AbortSignal): Promise<string> {
    const now = performance.now()
    const token = this.#token
    if (token === undefined || now >= token.endsAt) {
      const renewed = await abortable<Token>((resolve, reject) => {
        this.#renew().then(resolve, reject)
        return undefined
      }, signal)
      return renewed.value
    }
    // A failure is not one of this call: the token is valid still, and the next call tries again.
    if (now >= token.renewAt) this.#renew().catch(() => undefined)
    return token.value
  }

  /** After a 401: whether a call with another token may succeed. Calls that used the same token cause one request. */
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
    const { schema, token, expired } = (body as unknown as TokenAnswer).data
    const issuedAt = Date.parse(headers.get('date') ?? '') || Date.now()
    const lifetime = Date.parse(expired) - issuedAt
    // One that has ended already would be requested again by every call.
    if (!(lifetime > 0)) {
      throw new AuthenticationError({
        code: 'A001',
        result: 'the gateway gave an expired token',
        status: 401,
      })
    }
    const now = performance.now()
    this.#token = { value: `${schema} ${token}`, renewAt: now + lifetime * 0.9, endsAt: now + lifetime }
    return this.#token
  }
}
