/** Sends the messages of a state as a client, and keeps what was answered. */
import type { AccountClient, SendAnswer } from '../support/processes/account-client.ts'
import { waitFor } from '../support/wait.ts'
import { locate, type Located } from './located.ts'
import type { State } from './states.ts'

export interface Sent {
  readonly state: State
  readonly msgKey: string
  readonly ref: string
  readonly to: string
}

type Answer = SendAnswer & { readonly data?: { readonly destinations: readonly SendAnswer[] } }

export class Sender {
  readonly sent: Sent[] = []
  readonly #polled: AccountClient
  readonly #pushed: AccountClient
  readonly #databaseUrl: string

  constructor(polled: AccountClient, pushed: AccountClient, databaseUrl: string) {
    this.#polled = polled
    this.#pushed = pushed
    this.#databaseUrl = databaseUrl
  }

  async send(state: State): Promise<void> {
    const client = state.pushed ? this.#pushed : this.#polled
    for (let n = 0; n < state.count; n++) {
      const ref = `u${this.sent.length}`
      const digits = String(1000 + this.sent.length)
      const to = `010${state.ending === undefined ? `1234${digits}` : `${digits}${state.ending}`}`
      const { path, body } = state.request(to, ref)
      const msgKey = await this.#post(client, path, body, state.isRepeated ? ref : undefined)
      this.sent.push({ state, msgKey, ref, to })
    }
  }

  /** Sends again what is sent with a key; returns what is wrong. */
  async repeat(state: State): Promise<string[]> {
    const findings: string[] = []
    for (const { to, ref, msgKey } of this.sent.filter((one) => one.state === state)) {
      const { path, body } = state.request(to, ref)
      const again = await this.#post(this.#polled, path, body, ref)
      if (again !== msgKey)
        findings.push(`${ref}, repeated with its Idempotency-Key, is ${again} instead of ${msgKey}`)
    }
    return findings
  }

  async #post(client: AccountClient, path: string, body: object, key: string | undefined): Promise<string> {
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    const answer = await client.call<Answer>('POST', path, JSON.stringify(body), undefined, headers)
    const { code, result, msgKey } = answer.body.data?.destinations[0] ?? answer.body
    if (msgKey === undefined) throw new Error(`${path} was refused with ${code} ${result}`)
    return msgKey
  }

  keysOf(state: State): string[] {
    return this.sent.filter((one) => one.state === state).map(({ msgKey }) => msgKey)
  }

  locate(state: State): Promise<Located> {
    return locate(this.#databaseUrl, this.keysOf(state))
  }

  async untilReached(
    state: State,
    isReached: State['isReached'] = (found, count) => state.isReached(found, count),
  ): Promise<void> {
    const { name, count } = state
    let found: Located | undefined
    await waitFor(
      `${count} messages: ${name}`,
      async () => isReached((found = await this.locate(state)), count),
      {
        timeoutMs: 30_000,
        everyMs: 100,
      },
    ).catch((error: unknown) => {
      throw new Error(`${(error as Error).message}; found ${JSON.stringify(found)}`)
    })
  }
}
