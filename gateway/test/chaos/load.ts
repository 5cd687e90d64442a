/**
 * A steady stream of sends, at its rate whatever the answers are, and what became of each. Every message has a
 * text and a recipient of its own. A send without an answer is never repeated: it may have been accepted.
 */
import type { AccountClient } from '../harness/client.ts'
import { NoAnswer } from '../harness/http.ts'

export type Reply =
  /** A000: ours to account for. */
  | { readonly kind: 'accepted'; readonly msgKey: string }
  /** Any other code: perhaps accepted all the same, when the broker's confirm came too late. */
  | { readonly kind: 'refused'; readonly code: string }
  /** No connection: surely not accepted. */
  | { readonly kind: 'unsent' }
  | { readonly kind: 'unanswered'; readonly reason: string }

export interface Send {
  readonly ref: string
  readonly sentAt: number
  reply: Reply | undefined
  repliedAt: number
}

const tickMs = 10

export class Load {
  readonly sends = new Map<string, Send>()
  readonly #client: AccountClient
  readonly #rate: number
  readonly #name: string
  readonly #open = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined

  constructor(client: AccountClient, rate: number, seed: number) {
    this.#client = client
    this.#rate = rate
    this.#name = `chaos-${seed}`
  }

  start(): void {
    const began = performance.now()
    this.#timer = setInterval(() => {
      const due = Math.floor(((performance.now() - began) * this.#rate) / 1000)
      while (this.sends.size < due) this.#send(this.sends.size)
    }, tickMs)
  }

  /** Resolves when every send has its reply, or is known to have none. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#open)
  }

  /** Sends whose reply is of that kind. */
  count(kind: Reply['kind']): number {
    return [...this.sends.values()].filter((send) => send.reply?.kind === kind).length
  }

  #send(index: number): void {
    const send: Send = {
      ref: `${this.#name}-${index}`,
      sentAt: performance.now(),
      reply: undefined,
      repliedAt: 0,
    }
    this.sends.set(send.ref, send)
    const work = this.#ask(send, recipient(index)).finally(() => this.#open.delete(work))
    this.#open.add(work)
  }

  async #ask(send: Send, to: string): Promise<void> {
    send.reply = await this.#client
      .send('sms', { from: '0212345678', to, text: send.ref, ref: send.ref })
      .then(
        ({ body: { code, msgKey } }): Reply =>
          code === 'A000' && msgKey !== undefined ? { kind: 'accepted', msgKey } : { kind: 'refused', code },
        (error: unknown): Reply =>
          error instanceof NoAnswer && error.unsent
            ? { kind: 'unsent' }
            : { kind: 'unanswered', reason: (error as Error).message },
      )
    send.repliedAt = performance.now()
  }
}

/** The last four digits are 1000 or more: none of the simulator's special numbers. */
function recipient(index: number): string {
  const last = 1000 + (index % 9000)
  return `010${String(1000 + Math.floor(index / 9000)).padStart(4, '0')}${last}`
}
