/**
 * Sends at a constant rate, independent of the answers, and keeps the reply to each send. Every send has a unique text
 * and ref. A refused send is repeated after its Retry-After as a new send with a new ref; a send without an answer is
 * uncertain and never repeated, because it may have been accepted.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Envelope, SendAnswer } from '../support/processes/account-client.ts'
import { NoAnswer } from '../support/processes/json-http.ts'
import { createRandom } from '../support/random.ts'
import type { FailoverClient } from './failover-client.ts'
import { chooseKind, digitsOf, type Kind } from './message-mix.ts'

export type Reply =
  /** A000: the gateway must account for it. */
  | { readonly kind: 'accepted'; readonly msgKey: string }
  /** Any other code. It may still be accepted, when the broker's confirm came too late. */
  | {
      readonly kind: 'refused'
      readonly code: string
      readonly httpStatus: number
      readonly result: string
      readonly retryAfterMs: number
    }
  /** No connection: certainly not accepted. */
  | { readonly kind: 'unsent' }
  | { readonly kind: 'unanswered'; readonly reason: string }

export interface Send {
  readonly ref: string
  readonly kind: Kind
  readonly sentAt: number
  reply: Reply | undefined
  repliedAt: number
}

type Answer = SendAnswer & { readonly data?: { readonly destinations: readonly (Envelope & SendAnswer)[] } }

const tickMs = 10
const maxTries = 30
/** After no connection. */
const retryMs = 1_000

export class Load {
  readonly sends = new Map<string, Send>()
  /** Messages that the client had to send, and how many of them were accepted in the end. */
  offered = 0
  accepted = 0
  readonly #client: FailoverClient
  readonly #rate: number
  readonly #seed: number
  readonly #open = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #stopping = false

  constructor(client: FailoverClient, rate: number, seed: number) {
    this.#client = client
    this.#rate = rate
    this.#seed = seed
  }

  start(): void {
    const began = performance.now()
    const random = createRandom(this.#seed)
    this.#timer = setInterval(() => {
      const due = Math.floor(((performance.now() - began) * this.#rate) / 1000)
      while (this.offered < due) {
        const work = this.#deliver(this.offered++, chooseKind(random)).finally(() => this.#open.delete(work))
        this.#open.add(work)
      }
    }, tickMs)
  }

  /** Resolves when every send has its reply or has timed out. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#stopping = true
    await Promise.all(this.#open)
  }

  /** Sends whose reply is of that kind. */
  count(kind: Reply['kind']): number {
    return [...this.sends.values()].filter((send) => send.reply?.kind === kind).length
  }

  async #deliver(index: number, kind: Kind): Promise<void> {
    for (let tries = 1; tries <= maxTries; tries++) {
      const ref = `c${this.#seed}-${index}${tries === 1 ? '' : `.${tries}`}`
      const send: Send = { ref, kind, sentAt: performance.now(), reply: undefined, repliedAt: 0 }
      this.sends.set(ref, send)
      send.reply = await this.#ask(send, index)
      send.repliedAt = performance.now()
      if (send.reply.kind === 'accepted') this.accepted++
      const again =
        send.reply.kind === 'unsent' ||
        (send.reply.kind === 'refused' && [429, 503].includes(send.reply.httpStatus))
      if (!again || this.#stopping) return
      await pause(send.reply.kind === 'refused' ? send.reply.retryAfterMs : retryMs)
    }
  }

  #ask({ ref, kind }: Send, index: number): Promise<Reply> {
    const { path, body } = kind.request(ref, digitsOf(kind, index))
    return this.#client
      .use<Answer>((client) => client.call('POST', path, JSON.stringify(body)))
      .then(
        ({ httpStatus, headers, body: answer }): Reply => {
          const [destination] = answer.data?.destinations ?? []
          const { code, result, msgKey } = destination ?? answer
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
        (error: unknown): Reply =>
          error instanceof NoAnswer && error.unsent
            ? { kind: 'unsent' }
            : { kind: 'unanswered', reason: (error as Error).message },
      )
  }
}
