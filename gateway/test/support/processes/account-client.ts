/**
 * An API client for one account: token, sends, polling, inquiry. Changes its token only in `login`, returns every
 * response unchanged and retries nothing.
 */
import { JsonHttp, type HttpResponse } from './json-http.ts'

export interface Credentials {
  readonly clientId: string
  readonly password: string
}

export interface Envelope {
  readonly code: string
  readonly result: string
}

export interface SendResponse extends Envelope {
  readonly msgKey?: string
  readonly ref?: string
}

export interface Report {
  readonly msgKey: string
  readonly serviceType: string
  readonly msgType: string
  readonly sendTime: string
  readonly reportTime: string
  readonly reportType: string
  readonly reportCode: string
  readonly reportText: string
  readonly carrier: string
  readonly resCnt?: string
  readonly ref: string
}

export interface PollResponse extends Envelope {
  readonly data?: { readonly reportId: string; readonly report: readonly Report[] }
}

export interface InquiryResponse extends Envelope {
  readonly data?: { readonly report: readonly Report[] }
}

export interface TokenResponse extends Envelope {
  readonly data?: { readonly schema: string; readonly expired: string; readonly token: string }
}

export interface SendBody {
  readonly from: string
  readonly to: string
  readonly text: string
  readonly ref?: string
}

interface ClientOptions {
  readonly connections: number
  readonly timeoutMs?: number
  /** Sets X-Forwarded-For, as the proxy in front of the API does. */
  readonly address?: string
}

export class AccountClient {
  readonly #http: JsonHttp
  readonly credentials: Credentials
  readonly #forwarded: Readonly<Record<string, string>>
  #authorization = ''

  constructor(baseUrl: string, credentials: Credentials, options: ClientOptions = { connections: 32 }) {
    this.#http = new JsonHttp(baseUrl, options)
    this.#forwarded = options.address === undefined ? {} : { 'x-forwarded-for': options.address }
    this.credentials = credentials
  }

  /** Requests a token and uses it for all further requests. */
  async login(): Promise<HttpResponse<TokenResponse>> {
    const response = await this.requestToken(this.credentials)
    const { data } = response.body
    if (data !== undefined) this.#authorization = `${data.schema} ${data.token}`
    return response
  }

  requestToken({ clientId, password }: Credentials): Promise<HttpResponse<TokenResponse>> {
    const headers = { ...this.#forwarded, 'x-svc-client-id': clientId, 'x-svc-client-passwd': password }
    return this.#http.send('POST', '/v1/auth/token', { headers })
  }

  send(channel: string, body: SendBody): Promise<HttpResponse<SendResponse>> {
    return this.call('POST', `/v1/send/${channel}`, JSON.stringify(body))
  }

  poll(): Promise<HttpResponse<PollResponse>> {
    return this.call('GET', '/v1/report/polling')
  }

  acknowledge(reportId: string): Promise<HttpResponse<Envelope>> {
    return this.call('DELETE', `/v1/report/polling/${reportId}`)
  }

  inquire(msgKey: string): Promise<HttpResponse<InquiryResponse>> {
    return this.call('GET', `/v1/report/inquiry/${msgKey}`)
  }

  /** Sends any request with this account's token, or with another Authorization. */
  call<Body>(
    method: string,
    path: string,
    body?: string,
    authorization = this.#authorization,
    more: Readonly<Record<string, string>> = {},
  ): Promise<HttpResponse<Body>> {
    return this.#http.send(method, path, {
      headers: {
        ...this.#forwarded,
        authorization,
        ...more,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
    })
  }

  close(): void {
    this.#http.close()
  }
}
