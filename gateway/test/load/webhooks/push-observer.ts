/**
 * Observes every push of a run: responds as its target would, verifies the signature, and records the delay
 * of healthy targets and, until the first fault, the times of all attempts of flaky ones. Writes all pushes to a
 * file for another verifier.
 */
import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { Webhook as Verifier } from 'standardwebhooks'
import { computeSpread, type Spread } from '../../support/measure/statistics.ts'
import { verifies, type ReceiverResponse, type Arrival } from './receiver.ts'
import type { WebhookTarget } from './targets.ts'

const slowMs = 10_000

export class PushObserver {
  readonly #byPath = new Map<string, WebhookTarget & { readonly verifier: Verifier }>()
  readonly #file: WriteStream
  readonly #lagsBeforeFaults: number[] = []
  readonly #lagsAfterFaults: number[] = []
  readonly #tries = new Map<string, number[]>()
  #hadFault = false
  #closed = false
  arrivals = 0
  /** Number of pushes that were sent again after an acknowledgement. */
  repeated = 0
  badSignatures = 0

  constructor(file: string) {
    this.#file = createWriteStream(file)
  }

  watch(targets: readonly WebhookTarget[]): void {
    for (const target of targets)
      this.#byPath.set(target.path, { ...target, verifier: new Verifier(target.secret) })
  }

  /** Call at the first fault: from then on delays are counted separately, and attempts are not timed. */
  markFault(): void {
    this.#hadFault = true
  }

  answer(arrival: Arrival): ReceiverResponse | undefined {
    const target = this.#byPath.get(arrival.path)
    if (target === undefined || this.#closed) return { status: 404 }
    this.arrivals++
    const { raw, headers, eventId, body } = arrival
    if (!verifies(target.verifier, arrival)) this.badSignatures++
    this.#file.write(`${JSON.stringify({ secret: target.secret, body: raw, headers })}\n`)
    if (target.kind === 'slow') return { status: 200, afterMs: slowMs }
    if (target.kind === 'flaky') {
      if (!this.#hadFault) this.#recordTry(eventId, arrival.at)
      if (Math.random() < 0.5) return { status: 500 }
    }
    const writtenAt = target.written.get(body.msgKey)
    // The report does not belong to this run.
    if (writtenAt === undefined) return { status: 404 }
    if (target.acknowledged.has(body.msgKey)) this.repeated++
    else if (target.kind === 'healthy')
      (this.#hadFault ? this.#lagsAfterFaults : this.#lagsBeforeFaults).push(arrival.at - writtenAt)
    target.acknowledged.add(body.msgKey)
    return undefined
  }

  #recordTry(eventId: string, at: number): void {
    const times = this.#tries.get(eventId)
    if (times === undefined) this.#tries.set(eventId, [at])
    else times.push(at)
  }

  /** Delays of healthy targets, in milliseconds since just before the report was written. */
  get lags(): { readonly beforeFaults: Spread; readonly afterFaults: Spread } {
    return {
      beforeFaults: computeSpread(this.#lagsBeforeFaults),
      afterFaults: computeSpread(this.#lagsAfterFaults),
    }
  }

  /** Arrival times of each report of a flaky target. */
  get tries(): Iterable<readonly number[]> {
    return this.#tries.values()
  }

  /** Ignores further pushes; the file is complete afterwards. */
  async close(): Promise<void> {
    this.#closed = true
    this.#file.end()
    await finished(this.#file)
  }
}
