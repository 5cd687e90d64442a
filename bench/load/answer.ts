/**
 * Reads HTTP answers from one connection that has one request open at a time. Only the HTTP that Fastify writes:
 * content-length, no chunks. Anything else is an error, never a wrong count.
 */
export interface Answer {
  readonly accepted: boolean
  readonly text: string
  /** Seconds after which to send the request again; null unless the server asks for it. */
  readonly retryAfter: number | null
}

const lengthName = 'content-length: '

export class AnswerReader {
  #rest = ''

  /** The complete answer, or null until more bytes arrive. */
  take(bytes: string): Answer | null {
    const text = this.#rest === '' ? bytes : this.#rest + bytes
    const headEnd = text.indexOf('\r\n\r\n')
    if (headEnd < 0) return this.#keep(text)
    const lengthAt = text.indexOf(lengthName)
    if (lengthAt < 0 || lengthAt > headEnd) throw new Error(`an answer without a length: ${text}`)
    const length = Number.parseInt(
      text.slice(lengthAt + lengthName.length, lengthAt + lengthName.length + 8),
      10,
    )
    const missing = headEnd + 4 + length - text.length
    if (missing > 0) return this.#keep(text)
    if (missing < 0) throw new Error(`an unexpected answer: ${text}`)
    this.#rest = ''
    // An omni answer has A000 itself, and an empty key for a refused destination.
    const accepted =
      text.startsWith('HTTP/1.1 200') &&
      text.indexOf('"code":"A000"', headEnd) > 0 &&
      text.indexOf('"msgKey":""', headEnd) < 0
    return { accepted, text, retryAfter: accepted ? null : retryAfterOf(text.slice(0, headEnd)) }
  }

  #keep(text: string): null {
    this.#rest = text
    return null
  }
}

/** Only of 429: other refusals are faults of a run. */
function retryAfterOf(head: string): number | null {
  const seconds = /\r\nretry-after: (\d+)/i.exec(head)?.[1]
  return head.startsWith('HTTP/1.1 429') && seconds !== undefined ? Number(seconds) : null
}
