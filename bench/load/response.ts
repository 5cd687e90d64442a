/**
 * Parses HTTP responses of one connection with one request open at a time. Supports only the HTTP that
 * Fastify writes: content-length, no chunks. Anything else is an error, never a wrong count.
 */
export interface LoadResponse {
  readonly accepted: boolean
  readonly text: string
  /** Seconds after which to retry; null unless the server requests it. */
  readonly retryAfter: number | null
}

const lengthName = 'content-length: '

export class ResponseReader {
  #rest = ''

  /** Returns the complete response, or null until more bytes arrive. */
  read(bytes: string): LoadResponse | null {
    const text = this.#rest === '' ? bytes : this.#rest + bytes
    const headEnd = text.indexOf('\r\n\r\n')
    if (headEnd < 0) return this.#keep(text)
    const lengthAt = text.indexOf(lengthName)
    if (lengthAt < 0 || lengthAt > headEnd) throw new Error(`response without content-length: ${text}`)
    const length = Number.parseInt(
      text.slice(lengthAt + lengthName.length, lengthAt + lengthName.length + 8),
      10,
    )
    const missing = headEnd + 4 + length - text.length
    if (missing > 0) return this.#keep(text)
    if (missing < 0) throw new Error(`unexpected response: ${text}`)
    this.#rest = ''
    // An omni response has the code A000 even if a destination was refused, whose key is then empty.
    const accepted =
      text.startsWith('HTTP/1.1 200') &&
      text.indexOf('"code":"A000"', headEnd) > 0 &&
      text.indexOf('"msgKey":""', headEnd) < 0
    return { accepted, text, retryAfter: accepted ? null : parseRetryAfter(text.slice(0, headEnd)) }
  }

  #keep(text: string): null {
    this.#rest = text
    return null
  }
}

/** Returns Retry-After of a 429; other refusals are faults of a run. */
function parseRetryAfter(head: string): number | null {
  const seconds = /\r\nretry-after: (\d+)/i.exec(head)?.[1]
  return head.startsWith('HTTP/1.1 429') && seconds !== undefined ? Number(seconds) : null
}
