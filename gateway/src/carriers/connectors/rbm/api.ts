/** Sends requests to the API of Google with the access token of the service account. */
import type { AccessToken, NoToken } from '../http/access-token.ts'
import type { HttpResponse, HttpClient, HttpFailure, HttpRequest } from '../http/http-client.ts'

export class RbmApi {
  readonly #baseUrl: string
  readonly #http: HttpClient
  readonly #token: AccessToken

  constructor(baseUrl: string, http: HttpClient, token: AccessToken) {
    this.#baseUrl = baseUrl
    this.#http = http
    this.#token = token
  }

  /** `url` is the path and the query. */
  call(request: HttpRequest & { readonly url: string }): Promise<
    | HttpResponse
    | HttpFailure
    /** The request was not sent. */
    | NoToken
  > {
    return this.#token.use(
      (authorization) =>
        this.#http.send({
          ...request,
          url: this.#baseUrl + request.url,
          headers: { ...request.headers, authorization },
        }),
      (result) => (result.kind === 'answer' && result.status === 401 ? 'UNAUTHENTICATED' : null),
    )
  }
}
