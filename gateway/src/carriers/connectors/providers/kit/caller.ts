/**
 * Sends the requests of a module with its token and the headers that authenticate each request. A request whose token the
 * provider refused is sent once more with a new token, because the provider has not processed it.
 */
import { AccessToken, type LoginResult, type NoToken } from '../../http/access-token.ts'
import { HttpClient, type HttpFailure, type HttpRequest } from '../../http/http-client.ts'
import { toProviderResponse, type ProviderResponse } from './response.ts'
import type { ProviderLinkOptions } from './options.ts'
import type { Provider, ProviderRoute } from './provider.ts'
import type { ProviderRequest } from './request.ts'

export type CallLimits = Pick<HttpRequest, 'signal' | 'maxAnswerBytes'>
export type ProviderCallResult =
  | { readonly kind: 'answer'; readonly answer: ProviderResponse }
  | HttpFailure
  | NoToken

/** Additional connections for requests other than submissions, so that neither waits for the other. */
const otherConnections = 4

export class ProviderCaller {
  readonly #provider: Provider
  readonly #route: ProviderRoute<ProviderLinkOptions>
  readonly #http: HttpClient
  readonly #token: AccessToken | undefined

  constructor(
    provider: Provider,
    route: ProviderRoute<ProviderLinkOptions>,
    onLogin: (result: LoginResult) => void,
  ) {
    this.#provider = provider
    this.#route = route
    const { account: options } = route
    this.#http = new HttpClient({
      connections: options.window + otherConnections,
      connectTimeoutMs: options.connectTimeoutMs,
      timeoutMs: options.responseTimeoutMs,
      maxAnswerBytes: options.maxAnswerBytes,
      tls: options.tls ?? {},
    })
    const { tokens } = provider
    if (tokens !== undefined)
      this.#token = new AccessToken({
        logIn: () => this.#logIn(),
        marginMs: Math.min(tokens.lifetimeMs / 10, 3_600_000),
        lifetimes: { defaultMs: tokens.lifetimeMs, maxMs: tokens.lifetimeMs },
        reconnectMinMs: options.reconnectMs,
        reconnectMaxMs: 60_000,
        loginPauseMs: options.loginPauseMs,
        onResult: onLogin,
      })
  }

  /** Logs in if the provider issues tokens. The link is up when `onLogin` reports a token. */
  start(): void {
    this.#token?.start()
  }

  /** Whether requests can be sent: a valid token, if the provider issues tokens. */
  get isReady(): boolean {
    return this.#token === undefined || this.#token.isValid
  }

  async call(request: ProviderRequest, limits: CallLimits = {}): Promise<ProviderCallResult> {
    if (this.#token === undefined) return this.#send(request, '', limits)
    return this.#token.use<ProviderCallResult>(
      (token) => this.#send(request, token, limits),
      (result) => (result.kind === 'answer' ? this.#provider.tokens!.refusal(result.answer) : null),
    )
  }

  /** Stops renewing the token. */
  stopRenewing(): void {
    this.#token?.stop()
  }

  stop(): void {
    this.#http.stop()
  }

  async #logIn(): Promise<LoginResult> {
    const { request, read } = this.#provider.tokens!
    const result = await this.#http.send(request(this.#route))
    if (result.kind !== 'answer') return { kind: 'no-token', code: result.code, isLoginRefused: false }
    return read(toProviderResponse(result))
  }

  async #send(request: ProviderRequest, token: string, limits: CallLimits): Promise<ProviderCallResult> {
    let authorization: Readonly<Record<string, string>> | undefined
    try {
      authorization = this.#provider.authorize?.(request, this.#route, token)
    } catch {
      return { kind: 'not-sent', code: 'authorize' }
    }
    const headers = { ...request.headers, ...authorization }
    const result = await this.#http.send({ ...request, headers, ...limits })
    return result.kind === 'answer' ? { kind: 'answer', answer: toProviderResponse(result) } : result
  }
}
