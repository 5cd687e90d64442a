/**
 * Sends messages at a constant rate, each to its own recipient, and keeps the outcome of each request. The rate
 * does not depend on the responses. Retries nothing, but the caller's `use` may.
 */
import type { AccountClient, SendResponse } from '../support/processes/account-client.ts'
import type { HttpResponse } from '../support/processes/json-http.ts'

export interface LoadRequest {
  readonly to: string
  /** Time by performance.now(). */
  readonly sentAt: number
  readonly answeredAt: number
  /** Undefined if the message was not accepted; then `failure` gives the reason. */
  readonly msgKey?: string
  readonly failure?: string
}

export type Use = <Body>(
  call: (client: AccountClient) => Promise<HttpResponse<Body>>,
) => Promise<HttpResponse<Body>>

export interface LoadOptions {
  readonly use: Use
  readonly perSecond: number
  /** Total number of messages; unlimited by default. */
  readonly limit?: number
  readonly recipient: (index: number) => string
  readonly request?: (to: string, ref: string) => { readonly path: string; readonly body: object }
}

/** Returns a recipient with the simulator's default behaviour: endings below 1000 have special ones. */
export function ordinaryRecipient(prefix: string, index: number): string {
  const digits = String(Math.floor(index / 9_000)).padStart(11 - prefix.length - 4, '0')
  return `${prefix}${digits}${1_000 + (index % 9_000)}`
}

export const sender = '0212345678'

export const plainText = (to: string, ref: string): { path: string; body: object } => ({
  path: '/v1/send/sms',
  body: { from: sender, to, text: 'endurance', ref },
})

/** A ttl of three minutes puts the message into the urgent lane. */
export const oneTimeCode = (to: string, ref: string): { path: string; body: object } => ({
  path: '/v1/send/omni',
  body: {
    destinations: [{ to }],
    messageFlow: [{ sms: { from: sender, text: `${ref} is your code`, ttl: '180' } }],
    ref,
  },
})

type Answer = SendResponse & { readonly data?: { readonly destinations: readonly SendResponse[] } }

const tickMs = 10

export class SteadyLoad {
  readonly sent: LoadRequest[] = []
  /** Resolves when the last request has its response. */
  readonly done: Promise<void>
  readonly #options: LoadOptions
  readonly #finish: () => void
  readonly #timer: NodeJS.Timeout
  #begun = 0
  #open = 0
  #stopping = false

  constructor(options: LoadOptions) {
    this.#options = options
    let finish = (): void => undefined
    this.done = new Promise((resolve) => (finish = resolve))
    this.#finish = finish
    const began = performance.now()
    const { perSecond, limit = Infinity } = options
    this.#timer = setInterval(() => {
      const due = Math.min(limit, Math.floor(((performance.now() - began) * perSecond) / 1000))
      while (this.#begun < due) void this.#send(this.#begun++)
      if (this.#begun >= limit) this.#end()
    }, tickMs)
  }

  get failures(): string[] {
    return this.sent.flatMap(({ failure }) => failure ?? [])
  }

  stop(): Promise<void> {
    this.#end()
    return this.done
  }

  #end(): void {
    clearInterval(this.#timer)
    this.#stopping = true
    if (this.#open === 0) this.#finish()
  }

  async #send(index: number): Promise<void> {
    const { use, recipient, request = plainText } = this.#options
    const to = recipient(index)
    const { path, body } = request(to, `e${index}`)
    this.#open++
    const sentAt = performance.now()
    const outcome = await use<Answer>((client) => client.call('POST', path, JSON.stringify(body))).then(
      ({ httpStatus, body: answer }) => {
        const { code, msgKey } = answer.data?.destinations[0] ?? answer
        return code === 'A000' && msgKey !== undefined ? { msgKey } : { failure: `${httpStatus} ${code}` }
      },
      (error: unknown) => ({ failure: (error as Error).message }),
    )
    this.sent.push({ to, sentAt, answeredAt: performance.now(), ...outcome })
    this.#open--
    if (this.#stopping && this.#open === 0) this.#finish()
  }
}
