import type { AccountClient, SendResponse } from '../../support/processes/account-client.ts'
import { waitFor } from '../../support/wait.ts'
import { countMessageStates, type StateCounts } from './state-counts.ts'
import type { UpgradeState } from './states.ts'

export interface SentState {
  readonly state: UpgradeState
  readonly msgKey: string
  readonly ref: string
  readonly to: string
}

type StateResponse = SendResponse & { readonly data?: { readonly destinations: readonly SendResponse[] } }

/** Sends the messages of each state and records the responses. */
export class StateSender {
  readonly sent: SentState[] = []
  readonly #polled: AccountClient
  readonly #pushed: AccountClient
  readonly #databaseUrl: string

  constructor(polled: AccountClient, pushed: AccountClient, databaseUrl: string) {
    this.#polled = polled
    this.#pushed = pushed
    this.#databaseUrl = databaseUrl
  }

  async send(state: UpgradeState): Promise<void> {
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

  /** Repeats the sends of a state whose messages have an Idempotency-Key and returns findings. */
  async repeat(state: UpgradeState): Promise<string[]> {
    const findings: string[] = []
    for (const { to, ref, msgKey } of this.sent.filter((one) => one.state === state)) {
      const { path, body } = state.request(to, ref)
      const again = await this.#post(this.#polled, path, body, ref)
      if (again !== msgKey)
        findings.push(`${ref}: repeated with its Idempotency-Key, got msgKey ${again}, expected ${msgKey}`)
    }
    return findings
  }

  async #post(client: AccountClient, path: string, body: object, key: string | undefined): Promise<string> {
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    const response = await client.call<StateResponse>('POST', path, JSON.stringify(body), undefined, headers)
    const { code, result, msgKey } = response.body.data?.destinations[0] ?? response.body
    if (msgKey === undefined) throw new Error(`${path} was rejected: ${code} ${result}`)
    return msgKey
  }

  keysOf(state: UpgradeState): string[] {
    return this.sent.filter((one) => one.state === state).map(({ msgKey }) => msgKey)
  }

  locate(state: UpgradeState): Promise<StateCounts> {
    return countMessageStates(this.#databaseUrl, this.keysOf(state))
  }

  async untilReached(
    state: UpgradeState,
    isReached: UpgradeState['isReached'] = (found, count) => state.isReached(found, count),
  ): Promise<void> {
    const { name, count } = state
    let found: StateCounts | undefined
    await waitFor(
      `${count} messages: ${name}`,
      async () => isReached((found = await this.locate(state)), count),
      { timeoutMs: 30_000, everyMs: 100 },
    ).catch((error: unknown) => {
      throw new Error(`${(error as Error).message}; found ${JSON.stringify(found)}`)
    })
  }
}
