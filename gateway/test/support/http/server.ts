/**
 * The API that production starts, without a port: tests send requests with `inject`. Accounts are real rows.
 * Their tokens are signed here without a login, because argon2 is deliberately slow.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import type { AccountDirectory } from '../../../src/identity/accounts/directory.ts'
import type { NewAccount } from '../../../src/identity/accounts/queries.ts'
import type { TokenKey } from '../../../src/edge/api/tokens/token.ts'
import type { Database } from '../../../src/platform/database/database.ts'
import type { ApiOptions } from '../../../src/roles/api-endpoints.ts'
import { createApi } from '../../../src/roles/api.ts'
import type { RouteTable } from '../../../src/carriers/routes/table.ts'
import type { Trust } from '../../../src/trust/policy.ts'
import { addCleanup } from '../cleanup.ts'
import { createAccount } from '../fixtures.ts'
import { createTestRuntime, type TestRuntimeOptions } from '../runtime.ts'

/** Settings are passed by their names in the configuration. Production passes no `ApiOptions`. */
export interface TestServerOptions extends TestRuntimeOptions, ApiOptions {
  /** Creates the accounts if the user of `database` is not allowed to. */
  readonly owner?: Database
}

export interface TestAccount {
  readonly id: number
  readonly clientId: string
  readonly token: string
}

export interface TestServer {
  readonly server: FastifyInstance
  readonly accounts: AccountDirectory
  readonly tokenKey: TokenKey
  /** Refresh its cache after changing trust tables. */
  readonly trust: Trust
  readonly routes: RouteTable
  /** Inserts an account that the server knows, with a valid token. */
  account(overrides?: Partial<NewAccount>): Promise<TestAccount>
  /** Sends a request with the token of the account and an optional JSON body. */
  call(
    account: TestAccount,
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<TestResponse>
  inject(options: InjectOptions): Promise<TestResponse>
}

export interface TestResponse {
  readonly status: number
  readonly headers: LightMyRequestResponse['headers']
  readonly body: Envelope
}

export interface Envelope {
  readonly code: string
  readonly result: string
  readonly [field: string]: unknown
}

export async function createTestServer(options: TestServerOptions): Promise<TestServer> {
  const api = await createApi(createTestRuntime(options), options)
  const { server, accounts, tokenKey, trust, routes } = api
  addCleanup(() => api.drain())

  async function inject(request: InjectOptions): Promise<TestResponse> {
    const response = await server.inject(request)
    return { status: response.statusCode, headers: response.headers, body: response.json<Envelope>() }
  }

  return {
    server,
    accounts,
    tokenKey,
    trust,
    routes,
    inject,
    async account(overrides = {}) {
      const clientId = overrides.clientId ?? `acc${randomBytes(5).toString('hex')}`
      const id = await createAccount(options.owner ?? options.database, clientId, overrides)
      await accounts.refresh()
      const [password] = accounts.value.byId.get(id)!.passwords
      const { token } = tokenKey.issue(id, 1, new Date(), { credentialId: password!.id })
      return { id, clientId, token }
    },
    call: (account, method, url, body, headers = {}) =>
      inject({
        method,
        url,
        headers: {
          authorization: `Bearer ${account.token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      }),
  }
}
