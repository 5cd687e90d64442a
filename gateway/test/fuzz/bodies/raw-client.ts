/**
 * Posts bytes over keep-alive connections and returns the response unchanged. A request without a complete
 * response is an error and never retried, because the run looks for dropped connections.
 */
import { Agent, request } from 'node:http'

export interface RawResponse {
  readonly httpStatus: number
  readonly contentType: string
  readonly text: string
  readonly milliseconds: number
}

export class RawClient {
  readonly #base: URL
  readonly #agent: Agent
  readonly #authorization: string
  readonly #timeoutMs: number

  constructor(baseUrl: string, authorization: string, connections: number, timeoutMs: number) {
    this.#base = new URL(baseUrl)
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
    this.#authorization = authorization
    this.#timeoutMs = timeoutMs
  }

  post(path: string, bytes: Buffer): Promise<RawResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<RawResponse>()
    const startedAt = performance.now()
    const outgoing = request({
      agent: this.#agent,
      host: this.#base.hostname,
      port: this.#base.port,
      method: 'POST',
      path,
      headers: {
        authorization: this.#authorization,
        accept: 'application/json',
        'content-type': 'application/json',
        'content-length': bytes.length,
      },
    })
    const timer = setTimeout(() => outgoing.destroy(new Error('response timed out')), this.#timeoutMs)
    const fail = (error: Error): void => {
      clearTimeout(timer)
      reject(error)
    }
    outgoing.on('error', fail)
    outgoing.on('response', (incoming) => {
      let text = ''
      incoming.setEncoding('utf8')
      incoming.on('data', (chunk: string) => (text += chunk))
      incoming.on('error', fail)
      incoming.on('end', () => {
        clearTimeout(timer)
        const contentType = incoming.headers['content-type'] ?? ''
        const milliseconds = performance.now() - startedAt
        resolve({ httpStatus: incoming.statusCode ?? 0, contentType, text, milliseconds })
      })
    })
    outgoing.end(bytes)
    return promise
  }

  close(): void {
    this.#agent.destroy()
  }
}
