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

/** One request. Requests that are repeated under an Idempotency-Key have the same ref, which is the key. */
export interface ChaosSend {
  readonly ref: string
  readonly kind: MessageKind
  readonly isKeyed: boolean
  /** Time of the first request with this ref. */
  readonly firstSentAt: number
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
/** One of so many messages is sent with an Idempotency-Key. Odd, so that each of two APIs gets such messages. */
const keyedEvery = 3

/**
 * Sends at a constant rate, independent of responses, and records the reply to each send. Every message has a
 * unique text and ref. After a 429, a 503 or a failed connection, a message is sent again with a new ref. A
 * send without a response is never retried, because it may have been accepted. A send with an Idempotency-Key
 * is repeated unchanged instead, also without a response: its repeats must be one message.
 */
export class ChaosLoad {
  /** All requests. */
  readonly requests: ChaosSend[] = []
  /** The latest request with each ref. */
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
  /** Keys used before this time are not repeated. */
  #keysLostAt = -Infinity

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

  /** Repeats no key until `resumeRepeats`. Call it before keys are lost: a repeat could be a second message. */
  stopRepeats(): void {
    this.#keysLostAt = Infinity
  }

  /** Repeats keys again that are used from now on. */
  resumeRepeats(): void {
    this.#keysLostAt = performance.now()
  }

  /** Returns the number of requests with a kind of reply. */
  count(kind: SendReply['kind']): number {
    return this.requests.filter((send) => send.reply?.kind === kind).length
  }

  async #sendUntilAccepted(index: number, kind: MessageKind): Promise<void> {
    const isKeyed = index % keyedEvery === 0
    let ref = `c${this.#seed}-${index}`
    let firstSentAt = performance.now()
    const canRepeat = (): boolean => isKeyed && firstSentAt > this.#keysLostAt
    for (let tries = 1; tries <= maxTries; tries++) {
      const sentAt = performance.now()
      const send: ChaosSend = { ref, kind, isKeyed, firstSentAt, sentAt, reply: undefined, repliedAt: 0 }
      this.requests.push(send)
      this.sends.set(ref, send)
      const reply = await this.#request(send, index)
      send.reply = reply
      send.repliedAt = performance.now()
      if (reply.kind === 'accepted') this.accepted++
      if (this.#stopping || !(isRefusedForNow(reply) || (reply.kind === 'unanswered' && canRepeat()))) return
      await pause(reply.kind === 'refused' ? reply.retryAfterMs : retryMs)
      if (canRepeat()) continue
      if (reply.kind === 'unanswered') return
      ref = `c${this.#seed}-${index}.${tries + 1}`
      firstSentAt = performance.now()
    }
  }

  #request({ ref, kind, isKeyed }: ChaosSend, index: number): Promise<SendReply> {
    const { path, body } = kind.request(ref, toRecipientDigits(kind, index))
    const headers = isKeyed ? { 'idempotency-key': ref } : {}
    return this.#client
      .request<ChaosResponse>((client) => client.call('POST', path, JSON.stringify(body), undefined, headers))
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

function isRefusedForNow(reply: SendReply): boolean {
  return reply.kind === 'unsent' || (reply.kind === 'refused' && [429, 503].includes(reply.httpStatus))
}
