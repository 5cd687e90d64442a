/**
 * One account that floods the API: omni requests with ten destinations, with a fixed number outstanding over
 * all APIs. A rejected request is retried after its `Retry-After`, or a fraction of it, until it is accepted.
 * Runs in its own thread (`burst-load-thread.ts`), so that it does not disturb the measurement.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { AccountClient, Envelope } from '../../support/processes/account-client.ts'
import { ordinaryRecipient, sender } from '../steady-load.ts'

export const destinationsPerRequest = 10

export interface BurstCounts {
  /** Accepted destinations. */
  readonly accepted: number
  /** Responses with status 429 or 503. */
  readonly refused: number
  /** Requests, without retries. */
  readonly begun: number
}

export interface BurstResult extends BurstCounts {
  readonly msgKeys: readonly string[]
  /** Number of rejected requests by their `Retry-After` in seconds. */
  readonly retryAfter: ReadonlyMap<number, number>
  /**
   * Destinations of accepted requests whose message the broker did not confirm in time: it may be sent or
   * not.
   */
  readonly unknown: number
  /** Distinct failures, as sentences. */
  readonly failures: readonly string[]
}

interface OmniAnswer extends Envelope {
  readonly data?: { readonly destinations: readonly { readonly code: string; readonly msgKey: string }[] }
}

export class BurstLoad {
  readonly #clients: readonly AccountClient[]
  readonly #idempotent: boolean
  readonly #waitFraction: number
  readonly #msgKeys: string[] = []
  readonly #retryAfter = new Map<number, number>()
  readonly #failures = new Set<string>()
  #begun = 0
  #refused = 0
  #unknown = 0
  #stopping = false

  /**
   * With `idempotent`, a retry has the same Idempotency-Key, so that its messages are sent once whatever
   * happened to the first request.
   */
  constructor(clients: readonly AccountClient[], idempotent = false, waitFraction = 1) {
    this.#clients = clients
    this.#waitFraction = waitFraction
    this.#idempotent = idempotent
  }

  get counts(): BurstCounts {
    return { accepted: this.#msgKeys.length, refused: this.#refused, begun: this.#begun }
  }

  /** Sends no new requests. */
  stop(): void {
    this.#stopping = true
  }

  /** Resolves when the load was stopped and every request was accepted or has failed permanently. */
  async run(outstanding: number): Promise<BurstResult> {
    await Promise.all(Array.from({ length: outstanding }, () => this.#sendUntilStopped()))
    return {
      ...this.counts,
      msgKeys: this.#msgKeys,
      retryAfter: this.#retryAfter,
      unknown: this.#unknown,
      failures: [...this.#failures],
    }
  }

  async #sendUntilStopped(): Promise<void> {
    while (!this.#stopping) await this.#sendUntilAccepted(this.#begun++)
  }

  async #sendUntilAccepted(index: number): Promise<void> {
    const body = JSON.stringify({
      destinations: Array.from({ length: destinationsPerRequest }, (_, nth) => ({
        to: burstRecipient(index, nth),
      })),
      messageFlow: [{ sms: { from: sender, text: 'burst' } }],
      ref: `a${index}`,
    })
    const headers: Record<string, string> = this.#idempotent ? { 'idempotency-key': randomUUID() } : {}
    for (let turn = index; ; turn++) {
      const client = this.#clients[turn % this.#clients.length]!
      const answer = await client
        .call<OmniAnswer>('POST', '/v1/send/omni', body, undefined, headers)
        .catch((error: unknown) => {
          this.#failures.add(`a request of the flooding account got no response: ${(error as Error).message}`)
        })
      if (answer === undefined) return
      const { httpStatus } = answer
      if (httpStatus === 200) {
        for (const { code, msgKey } of answer.body.data?.destinations ?? [])
          if (code === 'A000') this.#msgKeys.push(msgKey)
          else if (this.#idempotent && code === 'A920') this.#unknown++
          else this.#failures.add(`a destination of an accepted request got ${code}`)
        return
      }
      const seconds = Number(answer.headers['retry-after'])
      if ((httpStatus !== 429 && httpStatus !== 503) || !(seconds >= 1)) {
        this.#failures.add(
          `${httpStatus} ${answer.body.code} with Retry-After ${String(answer.headers['retry-after'])}`,
        )
        return
      }
      this.#refused++
      this.#retryAfter.set(seconds, (this.#retryAfter.get(seconds) ?? 0) + 1)
      await pause(seconds * 1000 * this.#waitFraction)
    }
  }
}

/** Returns the nth recipient of a request. */
export function burstRecipient(request: number, nth: number): string {
  return ordinaryRecipient('0101', request * destinationsPerRequest + nth)
}
