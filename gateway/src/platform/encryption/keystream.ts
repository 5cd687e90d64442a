/**
 * The keystream of AES-256-CTR for many short texts under one key, each beginning at a counter block of its own. A block is used
 * once: the first ten bytes of the counter are random for every keystream, the others count its blocks, and no keystream has 2⁴⁸.
 * Made in large parts, because every call of the library costs 1 µs and leaves an object to the collector.
 */
import { createCipheriv, randomBytes, type Cipheriv, type KeyObject } from 'node:crypto'

export const counterBytes = 16
const blockBytes = 16
export const wordBytes = 4
const blockWords = blockBytes / wordBytes
const countedBytes = 6
const maxBlocks = 2 ** 47
const partBytes = 16_384
const zeros = Buffer.alloc(partBytes)

export interface KeystreamPart {
  /** Of its first block. Valid until the next `take`. */
  readonly counter: Buffer
  /** The keystream by four bytes. */
  readonly words: Int32Array
  /** The first of them that belongs to the part. */
  readonly at: number
}

export class Keystream {
  readonly #cipher: Cipheriv
  readonly #counter = Buffer.alloc(counterBytes)
  #words = new Int32Array(0)
  #usedWords = 0
  /** Blocks before `#words`. */
  #blocks = 0

  constructor(key: KeyObject) {
    randomBytes(counterBytes - countedBytes).copy(this.#counter)
    this.#cipher = createCipheriv('aes-256-ctr', key, this.#counter)
  }

  take(bytes: number): KeystreamPart {
    const needed = Math.ceil(bytes / blockBytes) * blockWords
    if (this.#words.length - this.#usedWords < needed) this.#refill(needed * wordBytes)
    const at = this.#usedWords
    this.#usedWords += needed
    this.#counter.writeUIntBE(this.#blocks + at / blockWords, counterBytes - countedBytes, countedBytes)
    return { counter: this.#counter, words: this.#words, at }
  }

  #refill(needed: number): void {
    const blocks = this.#blocks + this.#words.length / blockWords
    if (blocks > maxBlocks) throw new Error('the keystream is used up')
    // Before anything changes: it can fail for want of memory.
    const made = this.#cipher.update(needed <= partBytes ? zeros : Buffer.alloc(needed))
    const stream = made.byteOffset % wordBytes === 0 ? made : Buffer.copyBytesFrom(made)
    this.#words = new Int32Array(stream.buffer, stream.byteOffset, stream.length / wordBytes)
    this.#blocks = blocks
    this.#usedWords = 0
  }
}
