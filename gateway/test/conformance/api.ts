/**
 * The API as one account calls it: the account client, and uploads. Every answer is checked for what the contract
 * requires of all: the JSON envelope with `code` and `result`, and the content type.
 */
import assert from 'node:assert/strict'
import { multipartBody, multipartType, type Part } from '../support/files/multipart.ts'
import {
  AccountClient,
  type Credentials,
  type Report,
  type TokenAnswer,
} from '../support/processes/account-client.ts'
import type { HttpAnswer } from '../support/processes/json-http.ts'

/** Whatever an answer may hold; tests look at what they asked for. */
export interface Body {
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
    readonly destinations?: readonly Destination[]
  }
}

export interface Destination {
  readonly to: string
  readonly msgKey: string
  readonly code: string
  readonly result: string
}

export type Answer = HttpAnswer<Body>

export class Api {
  readonly credentials: Credentials
  readonly url: string
  readonly #client: AccountClient
  #token = ''

  constructor(url: string, credentials: Credentials) {
    this.url = url
    this.credentials = credentials
    this.#client = new AccountClient(url, credentials, { connections: 8 })
  }

  /** Of the last login. */
  get token(): string {
    return this.#token
  }

  async login(): Promise<HttpAnswer<TokenAnswer>> {
    const answer = await this.#client.login()
    this.#token = answer.body.data?.token ?? ''
    return answer
  }

  requestToken(credentials: Credentials): Promise<Answer> {
    return this.#client.requestToken(credentials).then(checked)
  }

  get(path: string, authorization?: string): Promise<Answer> {
    return this.#client.call<Body>('GET', path, undefined, authorization).then(checked)
  }

  delete(path: string, authorization?: string): Promise<Answer> {
    return this.#client.call<Body>('DELETE', path, undefined, authorization).then(checked)
  }

  /** A string is sent as it is. */
  post(path: string, body: object | string, authorization?: string): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return this.#client.call<Body>('POST', path, text, authorization).then(checked)
  }

  async upload(path: string, part: Part, authorization = `Bearer ${this.#token}`): Promise<Answer> {
    const response = await fetch(`${this.url}/v1/file/${path}`, {
      method: 'POST',
      headers: { authorization, accept: 'application/json', 'content-type': multipartType },
      body: new Uint8Array(multipartBody(part)),
    })
    const headers = Object.fromEntries(response.headers)
    return checked({ httpStatus: response.status, headers, body: (await response.json()) as Body })
  }

  close(): void {
    this.#client.close()
  }
}

function checked<B>(answer: HttpAnswer<B>): Answer {
  const { headers, body } = answer as unknown as Answer
  assert.match(String(headers['content-type']), /^application\/json\b/)
  assert.match(body.code, /^[0-9A-Z]{4}$/, 'code has four characters')
  assert.equal(typeof body.result, 'string')
  assert.notEqual(body.result, '')
  return answer as unknown as Answer
}
