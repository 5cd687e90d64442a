/**
 * One HTTP request and its answer: an object with `code` A000, or an error. Repeats nothing. Redirects are not followed,
 * because they would carry the token to another server.
 */
import {
  apiError,
  ConnectionError,
  PosternError,
  TimeoutError,
  UnexpectedAnswerError,
  type Answer,
} from './errors.ts'

export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** A text, or a form that fetch writes as multipart. */
  readonly body?: string | FormData
}

export interface Answered {
  readonly body: Answer
  readonly headers: Headers
}

export interface Transport {
  readonly fetch: typeof globalThis.fetch
  readonly timeoutMs: number
}

/** A thousand reports, the largest answer, take less than 1 MB. */
const maxAnswerBytes = 16_000_000

export async function exchange(
  { fetch, timeoutMs }: Transport,
  { body, ...request }: HttpRequest,
  signal?: AbortSignal,
): Promise<Answered> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    return read(response.status, response.headers, await textOf(response))
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof PosternError) throw error
    throw timeout.aborted ? new TimeoutError(timeoutMs) : new ConnectionError(error)
  }
}

function read(status: number, headers: Headers, text: string): Answered {
  const body = parse(text)
  if (body === undefined) throw new UnexpectedAnswerError(status, 'the answer is not JSON of the gateway')
  if (status === 200 && body.code === 'A000') return { body, headers }
  const seconds = headers.get('retry-after')
  throw apiError({
    code: body.code,
    result: body.result,
    status,
    retryAfter: seconds === null || !/^\d+$/.test(seconds) ? undefined : Number(seconds),
    answer: body,
    limit: headers.get('ratelimit-reason') ?? undefined,
  })
}

function parse(text: string): Answer | undefined {
  try {
    const body = JSON.parse(text) as Partial<Answer> | null
    if (typeof body?.code !== 'string' || typeof body.result !== 'string') return undefined
    return body as Answer
  } catch {
    return undefined
  }
}

async function textOf(response: Response): Promise<string> {
  if (response.body === null) return ''
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>
  const decoder = new TextDecoder()
  let text = ''
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxAnswerBytes) {
      await reader.cancel()
      throw new UnexpectedAnswerError(response.status, `the answer exceeds ${maxAnswerBytes} bytes`)
    }
    text += decoder.decode(value, { stream: true })
  }
}
