/** An API with a separate database, and the commands and requests for tests of credentials. */
import assert from 'node:assert/strict'
import { hashPassword } from '../../../src/identity/accounts/password.ts'
import { createTestBroker } from '../engines/broker.ts'
import { runCommand } from '../command.ts'
import { createTestDatabase } from '../engines/database.ts'
import { createTestServer, type TestResponse } from './server.ts'

/** Output of commands on credentials. */
export interface CredentialOutput {
  readonly keyId: string
  readonly key: string
  readonly password: string
  readonly previousUntil: string | null
  readonly webhooks: readonly { readonly id: string; readonly enabled: boolean }[]
}

export async function openCredentialFixture() {
  const { database, url } = await createTestDatabase()
  const { broker, topology } = await createTestBroker()
  const api = await createTestServer({ database, broker, topology, proxyHops: 1 })
  const environment = { POSTERN_DATABASE_URL: url, POSTERN_TOKEN_SECRET: 'x'.repeat(32) }
  return {
    database,
    api,
    environment,
    /** Hash of the password `FIRST`. */
    passwordHash: await hashPassword('FIRST'),
    /** Runs `postern account …`; the API then knows the result. */
    command: async (...args: string[]): Promise<CredentialOutput> => {
      const { exitCode, stdout, stderr } = await runCommand(environment, 'account', ...args, '--json')
      assert.equal(exitCode, 0, stderr)
      await api.accounts.refresh()
      return JSON.parse(stdout) as CredentialOutput
    },
    login: (clientId: string, password: string, from = '192.0.2.1'): Promise<TestResponse> =>
      api.inject({
        method: 'POST',
        url: '/v1/auth/token',
        headers: { 'x-svc-client-id': clientId, 'x-svc-client-passwd': password, 'x-forwarded-for': from },
      }),
    use: (bearer: string, path = '/v1/report/polling', from = '192.0.2.1'): Promise<TestResponse> =>
      api.inject({
        method: path.startsWith('/v1/send') ? 'POST' : 'GET',
        url: path,
        headers: { authorization: `Bearer ${bearer}`, 'x-forwarded-for': from },
      }),
    /** Ends the overlap or lifetime of a credential. */
    end: (keyId: string): Promise<unknown> =>
      database.query(`update credentials set ends_at = now() - interval '1 second' where key_id = $1`, [
        keyId,
      ]),
  }
}
