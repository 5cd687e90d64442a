/**
 * The APIs as a careful client uses them: in turn, and one that failed is left alone for a while, then tried with a
 * single request before it is trusted again. Repeats nothing by itself.
 */
import { AccountClient, type Credentials } from '../support/processes/account-client.ts'
import type { HttpAnswer } from '../support/processes/json-http.ts'
import { waitFor } from '../support/wait.ts'

const firstRestMs = 500
const maxRestMs = 4_000

interface Door {
  readonly client: AccountClient
  /** In a row. */
  failures: number
  restUntil: number
  probing: boolean
}

export class Doors {
  readonly #doors: readonly Door[]
  #turn = 0

  constructor(
    urls: readonly string[],
    credentials: Credentials,
    options: { readonly connections: number; readonly timeoutMs: number },
  ) {
    this.#doors = urls.map((url) => ({
      client: new AccountClient(url, credentials, options),
      ...{ failures: 0, restUntil: 0, probing: false },
    }))
  }

  async login(): Promise<void> {
    for (const { client } of this.#doors) {
      await waitFor('the account to be known', async () => (await client.login()).httpStatus === 200, {
        timeoutMs: 10_000,
        everyMs: 200,
      })
    }
  }

  /** An answer of 5xx, or none, counts against the door. */
  async use<Body>(ask: (client: AccountClient) => Promise<HttpAnswer<Body>>): Promise<HttpAnswer<Body>> {
    const door = this.#choose()
    if (door.failures > 0) door.probing = true
    try {
      const answer = await ask(door.client)
      if (answer.httpStatus >= 500) this.#fail(door)
      else door.failures = 0
      return answer
    } catch (error) {
      this.#fail(door)
      throw error
    } finally {
      door.probing = false
    }
  }

  close(): void {
    for (const { client } of this.#doors) client.close()
  }

  #choose(): Door {
    const now = performance.now()
    const inTurn = this.#doors.map((_, index) => this.#doors[(this.#turn + index) % this.#doors.length]!)
    this.#turn++
    const open = inTurn.find((door) => door.failures === 0 || (now > door.restUntil && !door.probing))
    // All are resting: the one that may be tried soonest.
    return open ?? inTurn.reduce((best, door) => (door.restUntil < best.restUntil ? door : best))
  }

  #fail(door: Door): void {
    door.failures++
    door.restUntil =
      performance.now() + Math.min(maxRestMs, firstRestMs * 2 ** Math.min(door.failures - 1, 10))
  }
}
