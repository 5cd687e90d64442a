/** Requests tokens from any address: the API trusts one proxy, and the test is that proxy. */
import { JsonHttp, type HttpResponse } from '../support/processes/json-http.ts'

export interface TokenEnvelope {
  readonly code: string
  readonly result: string
}

export interface LoginResponse extends HttpResponse<TokenEnvelope> {
  readonly ms: number
}

export class LoginClient {
  readonly #http: JsonHttp

  constructor(url: string, connections: number) {
    this.#http = new JsonHttp(url, { connections })
  }

  async login(clientId: string, password: string, address: string): Promise<LoginResponse> {
    const began = performance.now()
    const answer = await this.#http.send<TokenEnvelope>('POST', '/v1/auth/token', {
      headers: {
        'x-svc-client-id': clientId,
        'x-svc-client-passwd': password,
        'x-forwarded-for': address,
        'content-length': '0',
      },
    })
    return { ...answer, ms: performance.now() - began }
  }
}
