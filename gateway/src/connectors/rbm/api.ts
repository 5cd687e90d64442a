/**
 * Requests to the API of Google with the token of the service account. A refused token is renewed and the request
 * repeated once: Google has certainly not read it. Used for messages, capabilities and files.
 */
import type { HttpAnswer, HttpClient, HttpFailure, HttpRequest } from '../http-client.ts'
import type { AccessToken } from './access-token.ts'

export type ApiResult =
  | HttpAnswer
  | HttpFailure
  /** Not sent: there is no token. */
  | { readonly kind: 'no-token'; readonly code: string; readonly isRefused: boolean }

export class Api {
  readonly #baseUrl: string
  readonly #http: HttpClient
  readonly #token: AccessToken

  constructor(baseUrl: string, http: HttpClient, token: AccessToken) {
    this.#baseUrl = baseUrl
    this.#http = http
    this.#token = token
  }

  /** `url` is the path and the query. */
  async call(request: HttpRequest & { readonly url: string }): Promise<ApiResult> {
    const first = await this.#send(request)
    if (first.result.kind !== 'answer' || first.result.status !== 401) return first.result
    this.#token.discard(first.token)
    const second = await this.#send(request)
    if (second.result.kind !== 'answer' || second.result.status !== 401) return second.result
    // Not of the account, if the token was renewed meanwhile.
    const isRefused = this.#token.discard(second.token)
    return { kind: 'no-token', code: 'UNAUTHENTICATED', isRefused }
  }

  async #send(
    request: HttpRequest & { readonly url: string },
  ): Promise<{ readonly result: ApiResult; readonly token: string }> {
    const token = await this.#token.get()
    if (token.kind === 'none') return { result: { ...token, kind: 'no-token' }, token: '' }
    const result = await this.#http.send({
      ...request,
      url: this.#baseUrl + request.url,
      headers: { ...request.headers, authorization: `Bearer ${token.token}` },
    })
    return { result, token: token.token }
  }
}
