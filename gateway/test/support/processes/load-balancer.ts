/**
 * A client-side load balancer that checks the readiness of every API and uses the ready ones in turn. It
 * retries a request on another API only if the connection was refused, because then no API has seen it.
 */
import { AccountClient, type Credentials } from './account-client.ts'
import type { Gateway } from './gateway.ts'
import { NoResponseError, type HttpResponse } from './json-http.ts'
import { waitFor } from '../wait.ts'

const checkEveryMs = 100

interface Backend {
  readonly gateway: Gateway
  readonly client: AccountClient
  ready: boolean
}

export class LoadBalancer {
  /** Number of requests that were retried because the connection was refused. */
  repeated = 0
  readonly #backends: readonly Backend[]
  #checks: readonly NodeJS.Timeout[] = []
  #turn = 0

  constructor(
    gateways: readonly Gateway[],
    credentials: Credentials,
    options: { readonly connections: number; readonly timeoutMs?: number },
  ) {
    this.#backends = gateways.map((gateway) => ({
      gateway,
      client: new AccountClient(gateway.url, credentials, options),
      ready: false,
    }))
  }

  /** Resolves when every API is ready and has issued a token. */
  async start(): Promise<void> {
    this.#checks = this.#backends.map((backend) => {
      let isChecking = false
      return setInterval(() => {
        if (isChecking) return
        isChecking = true
        void backend.gateway.isReady().then((ready) => {
          backend.ready = ready
          isChecking = false
        })
      }, checkEveryMs)
    })
    for (const backend of this.#backends) {
      await waitFor(
        `${backend.gateway.name} to know the account`,
        async () => backend.ready && (await backend.client.login()).httpStatus === 200,
        { timeoutMs: 20_000, everyMs: 200 },
      )
    }
  }

  /** Requests new tokens, for a run that outlasts a token. */
  async renewTokens(): Promise<void> {
    for (const { client } of this.#backends) await client.login()
  }

  async use<Body>(call: (client: AccountClient) => Promise<HttpResponse<Body>>): Promise<HttpResponse<Body>> {
    for (let tries = 1; ; tries++) {
      const backend = await waitFor('an API that is ready', () => this.#choose(), { timeoutMs: 10_000 })
      try {
        return await call(backend.client)
      } catch (error) {
        if (!(error instanceof NoResponseError && error.unsent) || tries > this.#backends.length) throw error
        backend.ready = false
        this.repeated++
      }
    }
  }

  close(): void {
    for (const check of this.#checks) clearInterval(check)
    for (const { client } of this.#backends) client.close()
  }

  #choose(): Backend | undefined {
    const ready = this.#backends.filter((backend) => backend.ready)
    return ready[this.#turn++ % Math.max(1, ready.length)]
  }
}
