import {
  ConnectionError,
  createApiError,
  PosternError,
  TimeoutError,
  UnexpectedResponseError,
  type ResponseBody,
} from './errors.ts'
import { version } from './generated/version.ts'
import type { Settings } from './options.ts'

export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON, or a form that `fetch` encodes as multipart. */
  readonly body?: string | FormData
}

export interface HttpResponse {
  readonly body: ResponseBody
  readonly headers: Headers
}

export interface AttemptOptions {
  /** Number of the attempt, from 1. */
  readonly attempt: number
  readonly timeoutMs: number
}

/** Far above the largest response, a batch of a thousand reports. */
const maxResponseBytes = 16_000_000

// Node 20 has no navigator.
const { navigator = { userAgent: 'Node.js/20' } } = globalThis as { navigator?: { userAgent: string } }
const userAgent = `postern-client/${version} (${navigator.userAgent})`

/**
 * Makes one HTTP request without retries. Throws unless the response has `code` A000. Does not follow
 * redirects, which would send the token to another server.
 */
export async function sendRequest(
  { fetch, onLog }: Pick<Settings, 'fetch' | 'onLog'>,
  { method, url, headers, body }: HttpRequest,
  { attempt, timeoutMs }: AttemptOptions,
  signal?: AbortSignal,
): Promise<HttpResponse> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const startedAt = performance.now()
  let response: Response | undefined
  try {
    response = await fetch(url, {
      method,
      headers: { 'user-agent': userAgent, ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    return readResponse(response, await readText(response))
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof PosternError) throw error
    throw timeout.aborted ? new TimeoutError(timeoutMs) : new ConnectionError(error)
  } finally {
    try {
      onLog?.({
        method,
        path: new URL(url).pathname,
        status: response?.status,
        durationMs: performance.now() - startedAt,
        attempt,
        requestId: getRequestId(response),
      })
    } catch {
      // A failing log callback must not hide that a message was accepted.
    }
  }
}

function getRequestId(response: Response | undefined): string | undefined {
  return response?.headers.get('request-id') ?? undefined
}

function readResponse(response: Response, text: string): HttpResponse {
  const { status, headers } = response
  const requestId = getRequestId(response)
  const body = parse(text)
  if (body === undefined)
    throw new UnexpectedResponseError(status, 'expected JSON from the gateway', requestId)
  if (status === 200 && body.code === 'A000') return { body, headers }
  const seconds = headers.get('retry-after')
  throw createApiError({
    code: body.code,
    result: body.result,
    field: body.field as string | undefined,
    status,
    requestId,
    retryAfter: seconds === null || !/^\d+$/.test(seconds) ? undefined : Number(seconds),
    limit: headers.get('ratelimit-reason') ?? undefined,
    body,
  })
}

function parse(text: string): ResponseBody | undefined {
  try {
    const body = JSON.parse(text) as Partial<ResponseBody> | null
    if (typeof body?.code !== 'string' || typeof body.result !== 'string') return undefined
    return body as ResponseBody
  } catch {
    return undefined
  }
}

async function readText(response: Response): Promise<string> {
  if (response.body === null) return ''
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const decoder = new TextDecoder()
  let text = ''
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxResponseBytes) {
      await reader.cancel()
      throw new UnexpectedResponseError(response.status, `response exceeds ${maxResponseBytes} bytes`)
    }
    text += decoder.decode(value, { stream: true })
  }
}
