import assert from 'node:assert/strict'
import { multipartBody, multipartType, type Part } from '../../support/files/multipart.ts'
import {
  AccountClient,
  type Credentials,
  type Report,
  type TokenResponse,
} from '../../support/processes/account-client.ts'
import type { HttpResponse } from '../../support/processes/json-http.ts'

/** Union of all response fields. */
export interface ConformanceBody {
  readonly code: string
  readonly result: string
  readonly msgKey?: string
  readonly ref?: string
  readonly data?: {
    readonly schema?: string
    readonly expired?: string
    readonly token?: string
    readonly reportId?: string
    readonly report?: readonly (Report & { readonly userType?: string })[]
    readonly fileKey?: string
    readonly media?: string
    readonly imgUrl?: string
    readonly formId?: string
    readonly destinations?: readonly DestinationResult[]
  }
}

export interface DestinationResult {
  readonly to: string
  readonly msgKey: string
  readonly code: string
  readonly result: string
}

export type ConformanceResponse = HttpResponse<ConformanceBody>

/** API client of one account. Checks the envelope and content type of every response, except those to `login`. */
export class ConformanceClient {
  readonly credentials: Credentials
  readonly url: string
  readonly #client: AccountClient
  #token = ''

  constructor(url: string, credentials: Credentials) {
    this.url = url
    this.credentials = credentials
    this.#client = new AccountClient(url, credentials, { connections: 8 })
  }

  /** Token of the last login. */
  get token(): string {
    return this.#token
  }

  async login(): Promise<HttpResponse<TokenResponse>> {
    const response = await this.#client.login()
    this.#token = response.body.data?.token ?? ''
    return response
  }

  requestToken(credentials: Credentials): Promise<ConformanceResponse> {
    return this.#client.requestToken(credentials).then(checkEnvelope)
  }

  get(path: string, authorization?: string): Promise<ConformanceResponse> {
    return this.#client.call<ConformanceBody>('GET', path, undefined, authorization).then(checkEnvelope)
  }

  delete(path: string, authorization?: string): Promise<ConformanceResponse> {
    return this.#client.call<ConformanceBody>('DELETE', path, undefined, authorization).then(checkEnvelope)
  }

  /** Sends a string unchanged. */
  post(path: string, body: object | string, authorization?: string): Promise<ConformanceResponse> {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return this.#client.call<ConformanceBody>('POST', path, text, authorization).then(checkEnvelope)
  }

  upload(path: string, part: Part, authorization?: string): Promise<ConformanceResponse> {
    const headers = { accept: 'application/json', 'content-type': multipartType }
    return this.request('POST', `/v1/file/${path}`, {
      headers: authorization === undefined ? headers : { ...headers, authorization },
      body: new Uint8Array(multipartBody(part)),
    })
  }

  /** Sends a request with the token of the last login unless `headers` has another Authorization. */
  async request(
    method: string,
    path: string,
    { headers, body }: Pick<RequestInit, 'body'> & { readonly headers: Readonly<Record<string, string>> },
  ): Promise<ConformanceResponse> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, ...headers },
      ...(body === undefined ? {} : { body }),
    })
    return checkEnvelope({
      httpStatus: response.status,
      headers: Object.fromEntries(response.headers),
      body: (await response.json()) as ConformanceBody,
    })
  }

  close(): void {
    this.#client.close()
  }
}

function checkEnvelope<B>(response: HttpResponse<B>): ConformanceResponse {
  const { headers, body } = response as unknown as ConformanceResponse
  assert.match(String(headers['content-type']), /^application\/json\b/)
  assert.match(body.code, /^[0-9A-Z]{4}$/, 'code has four characters')
  assert.equal(typeof body.result, 'string')
  assert.notEqual(body.result, '')
  return response as unknown as ConformanceResponse
}
