/** Sends requests to the service with the access token of the account. */
import { AccessToken, type LoginResult } from '../http/access-token.ts'
import { HttpClient, type HttpRequest } from '../http/http-client.ts'
import { parseOmniResponse, findTokenRefusal, type OmniCallResult } from './response.ts'
import { loginRequest, parseOmniLogin } from './login.ts'
import type { OmniOptions } from './options.ts'

export type OmniCall = Omit<HttpRequest, 'url'> & {
  /** Path after the base URL. */
  readonly path: string
}

/** Tokens of the API are valid for 24 hours. */
const tokenLifetimes = { defaultMs: 86_400_000, maxMs: 86_400_000 }
const tokenMarginMs = 3_600_000
const maxAnswerBytes = 64 * 1024
/** Interval of account checks while responses of proxies continue. */
const recheckMs = 5_000

export class Upstream {
  readonly token: AccessToken
  readonly #options: OmniOptions
  readonly #http: HttpClient
  #checkedAt = -Infinity
  #check: Promise<boolean> | undefined

  constructor(options: OmniOptions, onToken: (result: LoginResult) => void) {
    this.#options = options
    // One more connection for results, whose requests can wait at the service for a long time.
    this.#http = new HttpClient({
      connections: options.window + 1,
      connectTimeoutMs: options.responseTimeoutMs,
      timeoutMs: options.responseTimeoutMs,
      maxAnswerBytes,
      ...(options.tls === undefined ? {} : { tls: options.tls }),
    })
    this.token = new AccessToken({
      ...options,
      logIn: async () => parseOmniLogin(await this.#send(loginRequest(options))),
      marginMs: tokenMarginMs,
      lifetimes: tokenLifetimes,
      onResult: onToken,
    })
  }

  async call(call: OmniCall): Promise<OmniCallResult> {
    const result = await this.token.use(
      (authorization) => this.#send(call, authorization),
      (sent) => findTokenRefusal(sent),
    )
    if (result.kind !== 'no-token') return result
    return { kind: 'not-sent', code: result.code, accountRefused: result.isLoginRefused }
  }

  /** Checks the account after a response of a proxy. Resolves to false only if the service refuses the account or all requests. */
  isAccountAccepted(): Promise<boolean> {
    if (this.#check === undefined || performance.now() - this.#checkedAt >= recheckMs) {
      this.#checkedAt = performance.now()
      this.#check = this.token.renew().then((result) => result.kind === 'token' || !result.isLoginRefused)
    }
    return this.#check
  }

  stop(): void {
    this.#http.stop()
  }

  async #send({ path, headers, ...call }: OmniCall, authorization?: string): Promise<OmniCallResult> {
    const result = await this.#http.send({
      ...call,
      url: this.#options.url.replace(/\/+$/, '') + path,
      headers: {
        accept: 'application/json',
        ...headers,
        ...(authorization === undefined ? {} : { authorization }),
      },
    })
    return parseOmniResponse(result)
  }
}
