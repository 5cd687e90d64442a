/**
 * Incremental parsing. A parser is a generator that requests bytes and receives them, however the stream is split into
 * chunks; it holds a few bytes, never the file.
 */
export type ByteRequest =
  | { readonly kind: 'read'; readonly count: number }
  | { readonly kind: 'skip'; readonly count: number }
  /** Skips everything before the first such byte. */
  | { readonly kind: 'find'; readonly byte: number }

export type Parser<T> = Generator<ByteRequest, T, Buffer>

export const read = (count: number): ByteRequest => ({ kind: 'read', count })
export const skip = (count: number): ByteRequest => ({ kind: 'skip', count })
export const findByte = (byte: number): ByteRequest => ({ kind: 'find', byte })

const nothing = Buffer.alloc(0)

export class ParserRun<T> {
  readonly #parser: Parser<T>
  #step: IteratorResult<ByteRequest, T>
  /** The bytes of the current read received so far. */
  #held: Buffer = nothing
  /** Bytes of the current skip that have been skipped. */
  #skipped = 0

  constructor(parser: Parser<T>) {
    this.#parser = parser
    this.#step = parser.next()
  }

  /** The result of the parser; `undefined` while it needs more bytes. */
  get result(): T | undefined {
    return this.#step.done === true ? this.#step.value : undefined
  }

  push(chunk: Buffer): void {
    let remaining = chunk
    while (this.#step.done !== true) {
      const request = this.#step.value
      const step = this.#take(request, remaining)
      if (step === null) return
      remaining = remaining.subarray(step.used)
      this.#step = this.#parser.next(step.bytes)
    }
  }

  /** Returns null if the chunk ends before the request is satisfied. */
  #take(request: ByteRequest, chunk: Buffer): { readonly used: number; readonly bytes: Buffer } | null {
    switch (request.kind) {
      case 'skip': {
        const missing = request.count - this.#skipped
        if (chunk.length < missing) {
          this.#skipped += chunk.length
          return null
        }
        this.#skipped = 0
        return { used: missing, bytes: nothing }
      }
      case 'find': {
        const at = chunk.indexOf(request.byte)
        return at === -1 ? null : { used: at, bytes: nothing }
      }
      case 'read': {
        const missing = request.count - this.#held.length
        if (chunk.length < missing) {
          this.#held = Buffer.concat([this.#held, chunk])
          return null
        }
        const part = chunk.subarray(0, missing)
        const bytes = this.#held.length === 0 ? part : Buffer.concat([this.#held, part])
        this.#held = nothing
        return { used: missing, bytes }
      }
    }
  }
}
