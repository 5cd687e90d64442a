/**
 * Sees every push that arrives in a run: answers it as its target would, verifies its signature, and keeps how late it came and
 * when each report of a flaky target was tried. Keeps all pushes in a file for another verifier.
 */
import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { Webhook as Verifier } from 'standardwebhooks'
import { spreadOf, type Spread } from '../support/statistics.ts'
import { verifies, type Answer, type Arrival } from './receiver.ts'
import type { Target } from './targets.ts'

const slowMs = 10_000

export class Witness {
  readonly #byPath = new Map<string, Target & { readonly verifier: Verifier }>()
  readonly #file: WriteStream
  readonly #calmLags: number[] = []
  readonly #roughLags: number[] = []
  readonly #tries = new Map<string, number[]>()
  #disturbed = false
  #closed = false
  arrivals = 0
  /** Acknowledged before, and pushed all the same. */
  repeated = 0
  badSignatures = 0

  constructor(file: string) {
    this.#file = createWriteStream(file)
  }

  watch(targets: readonly Target[]): void {
    for (const target of targets)
      this.#byPath.set(target.path, { ...target, verifier: new Verifier(target.secret) })
  }

  /** From now on something was killed: lags are counted apart, and tries are no longer timed. */
  disturb(): void {
    this.#disturbed = true
  }

  answer(arrival: Arrival): Answer | undefined {
    const target = this.#byPath.get(arrival.path)
    if (target === undefined || this.#closed) return { status: 404 }
    this.arrivals++
    const { raw, headers, eventId, body } = arrival
    if (!verifies(target.verifier, arrival)) this.badSignatures++
    this.#file.write(`${JSON.stringify({ secret: target.secret, body: raw, headers })}\n`)
    if (target.kind === 'slow') return { status: 200, afterMs: slowMs }
    if (target.kind === 'flaky') {
      if (!this.#disturbed) this.#noteTry(eventId, arrival.at)
      if (Math.random() < 0.5) return { status: 500 }
    }
    const writtenAt = target.written.get(body.msgKey)
    // Not one of this run.
    if (writtenAt === undefined) return { status: 404 }
    if (target.acknowledged.has(body.msgKey)) this.repeated++
    else if (target.kind === 'healthy')
      (this.#disturbed ? this.#roughLags : this.#calmLags).push(arrival.at - writtenAt)
    target.acknowledged.add(body.msgKey)
    return undefined
  }

  #noteTry(eventId: string, at: number): void {
    const times = this.#tries.get(eventId)
    if (times === undefined) this.#tries.set(eventId, [at])
    else times.push(at)
  }

  /** Of healthy targets, in milliseconds from just before a report was written: until `disturb`, and after it. */
  get lags(): { readonly calm: Spread; readonly rough: Spread } {
    return { calm: spreadOf(this.#calmLags), rough: spreadOf(this.#roughLags) }
  }

  /** Per report of a flaky target, when it arrived. */
  get tries(): Iterable<readonly number[]> {
    return this.#tries.values()
  }

  /** What comes from now on is not heard; the file is whole afterwards. */
  async close(): Promise<void> {
    this.#closed = true
    this.#file.end()
    await finished(this.#file)
  }
}
