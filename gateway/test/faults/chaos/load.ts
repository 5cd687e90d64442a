import { setTimeout as pause } from 'node:timers/promises'
import type { Envelope, SendResponse } from '../../support/processes/account-client.ts'
import { NoResponseError } from '../../support/processes/json-http.ts'
import { createRandom } from '../../support/random.ts'
import type { FailoverClient } from './failover-client.ts'
import { chooseKind, toRecipientDigits, type MessageKind } from './message-mix.ts'

export type SendReply =
  /** A000: the gateway must report the message. */
  | { readonly kind: 'accepted'; readonly msgKey: string }
  /** Any other code. The message may still be accepted if the broker confirmed it too late. */
  | {
      readonly kind: 'refused'
      readonly code: string
      readonly httpStatus: number
      readonly result: string
      readonly retryAfterMs: number
    }
  /** No connection: not accepted. */
  | { readonly kind: 'unsent' }
  | { readonly kind: 'unanswered'; readonly reason: string }

export interface ChaosSend {
  readonly ref: string
  readonly kind: MessageKind
  readonly sentAt: number
  reply: SendReply | undefined
  repliedAt: number
}

type ChaosResponse = SendResponse & {
  readonly data?: { readonly destinations: readonly (Envelope & SendResponse)[] }
}

const tickMs = 10
const maxTries = 30
/** Retry delay after a failed connection. */
const retryMs = 1_000

/**
 * Sends at a constant rate, independent of responses, and records the reply to each send. Every send has a
 * unique text and ref. After a 429, a 503 or a failed connection, a message is sent again with a new ref. A
 * send without a response is never retried, because it may have been accepted.
 */
export class ChaosLoad {
  readonly sends = new Map<string, ChaosSend>()
  /** Number of messages that were due so far. */
  offered = 0
  accepted = 0
  readonly #client: FailoverClient
  readonly #messagesPerSecond: number
  readonly #seed: number
  readonly #open = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #stopping = false

  constructor(client: FailoverClient, messagesPerSecond: number, seed: number) {
    this.#client = client
    this.#messagesPerSecond = messagesPerSecond
    this.#seed = seed
  }

  start(): void {
    const began = performance.now()
    const random = createRandom(this.#seed)
    this.#timer = setInterval(() => {
      const due = Math.floor(((performance.now() - began) * this.#messagesPerSecond) / 1000)
      while (this.offered < due) {
        const work = this.#sendUntilAccepted(this.offered++, chooseKind(random)).finally(() =>
          this.#open.delete(work),
        )
        this.#open.add(work)
      }
    }, tickMs)
  }

  /** Resolves when every send has a reply or has timed out. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping = true
    await Promise.all(this.#open)
  }

  /** Returns the number of sends with a kind of reply. */
  count(kind: SendReply['kind']): number {
    return [...this.sends.values()].filter((send) => send.reply?.kind === kind).length
  }

  async #sendUntilAccepted(index: number, kind: MessageKind): Promise<void> {
    for (let tries = 1; tries <= maxTries; tries++) {
      const ref = `c${this.#seed}-${index}${tries === 1 ? '' : `.${tries}`}`
      const send: ChaosSend = { ref, kind, sentAt: performance.now(), reply: undefined, repliedAt: 0 }
      this.sends.set(ref, send)
      send.reply = await this.#request(send, index)
      send.repliedAt = performance.now()
      if (send.reply.kind === 'accepted') this.accepted++
      const again =
        send.reply.kind === 'unsent' ||
        (send.reply.kind === 'refused' && [429, 503].includes(send.reply.httpStatus))
      if (!again || this.#stopping) return
      await pause(send.reply.kind === 'refused' ? send.reply.retryAfterMs : retryMs)
    }
  }

  #request({ ref, kind }: ChaosSend, index: number): Promise<SendReply> {
    const { path, body } = kind.request(ref, toRecipientDigits(kind, index))
    return this.#client
      .request<ChaosResponse>((client) => client.call('POST', path, JSON.stringify(body)))
      .then(
        ({ httpStatus, headers, body: response }): SendReply => {
          const [destination] = response.data?.destinations ?? []
          const { code, result, msgKey } = destination ?? response
          return code === 'A000' && msgKey !== undefined
            ? { kind: 'accepted', msgKey }
            : {
                kind: 'refused',
                code,
                httpStatus,
                result,
                retryAfterMs: Number(headers['retry-after'] ?? 1) * 1000,
              }
        },
        (error: unknown): SendReply =>
          error instanceof NoResponseError && error.unsent
            ? { kind: 'unsent' }
            : { kind: 'unanswered', reason: (error as Error).message },
      )
  }
}
