/**
 * Parsing bytes as they arrive. A parser is a generator that says what it wants next and is given it, however the
 * network has cut the stream; it holds a few bytes, never the file.
 */
export type Want =
  | { readonly kind: 'read'; readonly count: number }
  | { readonly kind: 'skip'; readonly count: number }
  /** Passes over everything before the first such byte. */
  | { readonly kind: 'find'; readonly byte: number }

export type Parser<T> = Generator<Want, T, Buffer>

export const read = (count: number): Want => ({ kind: 'read', count })
export const skip = (count: number): Want => ({ kind: 'skip', count })
export const find = (byte: number): Want => ({ kind: 'find', byte })

const nothing = Buffer.alloc(0)

export class Feed<T> {
  readonly #parser: Parser<T>
  #step: IteratorResult<Want, T>
  /** What has come of the bytes being read. */
  #held: Buffer = nothing
  /** How much of the present skip has passed. */
  #passed = 0

  constructor(parser: Parser<T>) {
    this.#parser = parser
    this.#step = parser.next()
  }

  /** What the parser returned; undefined while it wants more. */
  get result(): T | undefined {
    return this.#step.done === true ? this.#step.value : undefined
  }

  push(chunk: Buffer): void {
    let rest = chunk
    while (this.#step.done !== true) {
      const want = this.#step.value
      const taken = this.#take(want, rest)
      if (taken === null) return
      rest = rest.subarray(taken.used)
      this.#step = this.#parser.next(taken.bytes)
    }
  }

  /** Null when the chunk is used up before the parser has what it wants. */
  #take(want: Want, chunk: Buffer): { readonly used: number; readonly bytes: Buffer } | null {
    switch (want.kind) {
      case 'skip': {
        const missing = want.count - this.#passed
        if (chunk.length < missing) {
          this.#passed += chunk.length
          return null
        }
        this.#passed = 0
        return { used: missing, bytes: nothing }
      }
      case 'find': {
        const at = chunk.indexOf(want.byte)
        return at === -1 ? null : { used: at, bytes: nothing }
      }
      case 'read': {
        const missing = want.count - this.#held.length
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
