import { AccountClient, type Credentials } from '../../support/processes/account-client.ts'
import type { HttpResponse } from '../../support/processes/json-http.ts'
import { waitFor } from '../../support/wait.ts'

const minPauseMs = 500
const maxPauseMs = 4_000

interface Backend {
  readonly client: AccountClient
  /** Consecutive failures. */
  failures: number
  pausedUntil: number
  probing: boolean
}

/**
 * Client that uses several APIs in turn. A failed API is paused with exponential backoff, then probed with a
 * single request. Requests are never retried.
 */
export class FailoverClient {
  readonly #backends: readonly Backend[]
  #turn = 0

  constructor(
    urls: readonly string[],
    credentials: Credentials,
    options: { readonly connections: number; readonly timeoutMs: number },
  ) {
    this.#backends = urls.map((url) => ({
      client: new AccountClient(url, credentials, options),
      failures: 0,
      pausedUntil: 0,
      probing: false,
    }))
  }

  async login(): Promise<void> {
    for (const { client } of this.#backends) {
      await waitFor('the account to be known', async () => (await client.login()).httpStatus === 200, {
        timeoutMs: 10_000,
        everyMs: 200,
      })
    }
  }

  /** Sends a request to the next API. A 5xx or a missing response counts as a failure of the API. */
  async request<Body>(
    send: (client: AccountClient) => Promise<HttpResponse<Body>>,
  ): Promise<HttpResponse<Body>> {
    const backend = this.#choose()
    if (backend.failures > 0) backend.probing = true
    try {
      const response = await send(backend.client)
      if (response.httpStatus >= 500) this.#fail(backend)
      else backend.failures = 0
      return response
    } catch (error) {
      this.#fail(backend)
      throw error
    } finally {
      backend.probing = false
    }
  }

  close(): void {
    for (const { client } of this.#backends) client.close()
  }

  #choose(): Backend {
    const now = performance.now()
    const inTurn = this.#backends.map(
      (_, index) => this.#backends[(this.#turn + index) % this.#backends.length]!,
    )
    this.#turn++
    const open = inTurn.find(
      (backend) => backend.failures === 0 || (now > backend.pausedUntil && !backend.probing),
    )
    // If all are paused, use the API whose pause ends first.
    return open ?? inTurn.reduce((best, backend) => (backend.pausedUntil < best.pausedUntil ? backend : best))
  }

  #fail(backend: Backend): void {
    backend.failures++
    backend.pausedUntil =
      performance.now() + Math.min(maxPauseMs, minPauseMs * 2 ** Math.min(backend.failures - 1, 10))
  }
}
