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
  /** JSON, a form that `fetch` encodes as multipart, or content with its type. */
  readonly body?: string | FormData | Blob
}

export interface HttpResponse<Body> {
  readonly body: Body
  readonly headers: Headers
}

/** Reads the body of a response. Throws if the response is an error. */
export type ReadBody<Body> = (response: Response) => Promise<Body>

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
 * Makes one HTTP request without retries. Does not follow redirects, which would send the token to another
 * server. The time limit ends with `read`.
 */
export async function sendRequest<Body>(
  { fetch, onLog }: Pick<Settings, 'fetch' | 'onLog'>,
  { method, url, headers, body }: HttpRequest,
  read: ReadBody<Body>,
  { attempt, timeoutMs }: AttemptOptions,
  signal?: AbortSignal,
): Promise<HttpResponse<Body>> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), timeoutMs)
  const startedAt = performance.now()
  let response: Response | undefined
  try {
    response = await fetch(url, {
      method,
      headers: { 'user-agent': userAgent, ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]),
    })
    return { body: await read(response), headers: response.headers }
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof PosternError) throw error
    throw timeout.signal.aborted ? new TimeoutError(timeoutMs) : new ConnectionError(error)
  } finally {
    clearTimeout(timer)
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

/** Reads the response to a send, whose error states whether the message may have been accepted. */
export function readSend(response: Response): Promise<ResponseBody> {
  return readJson(response, response.headers.get('message-accepted') !== 'no')
}

/** Reads a JSON response. Throws unless it has status 200 and `code` A000. */
export async function readJson(response: Response, perhapsAccepted = false): Promise<ResponseBody> {
  const { status, headers } = response
  const requestId = getRequestId(response)
  const body = parse(await readText(response))
  if (body === undefined)
    throw new UnexpectedResponseError(status, 'expected JSON from the gateway', requestId)
  if (status === 200 && body.code === 'A000') return body
  const seconds = headers.get('retry-after')
  throw createApiError({
    code: body.code,
    result: body.result,
    field: body.field as string | undefined,
    status,
    requestId,
    retryAfter: seconds === null || !/^\d+$/.test(seconds) ? undefined : Number(seconds),
    limit: headers.get('ratelimit-reason') ?? undefined,
    perhapsAccepted,
    body,
  })
}

/** Returns a CSV response with its body unread. Throws if the response is something else. */
export async function readCsvHead(response: Response): Promise<Response> {
  if (response.status === 200 && response.headers.get('content-type')?.startsWith('text/csv') === true)
    return response
  await readJson(response)
  throw new UnexpectedResponseError(response.status, 'expected CSV from the gateway', getRequestId(response))
}

/** Yields the text of a response. Throws if nothing arrives for `timeoutMs`. */
export async function* readChunks(
  { body }: Response,
  timeoutMs: number,
  signal?: AbortSignal,
): AsyncGenerator<string, void> {
  const reader = body!.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const decoder = new TextDecoder()
  const late = new AbortController()
  try {
    for (;;) {
      const timer = setTimeout(() => {
        late.abort()
        void reader.cancel()
      }, timeoutMs)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (late.signal.aborted) throw new TimeoutError(timeoutMs)
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw error instanceof PosternError ? error : new ConnectionError(error)
  } finally {
    // Closes the connection if the caller leaves the loop early.
    reader.cancel().catch(() => undefined)
  }
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
