/** An API with a database of its own, and the commands and requests that the tests of credentials make. */
import assert from 'node:assert/strict'
import { hashPassword } from '../../src/accounts/password.ts'
import { createTestBroker } from './broker.ts'
import { runCommand } from './command.ts'
import { createTestDatabase } from './database.ts'
import { createTestServer, type Answer } from './server.ts'

/** What the commands on credentials print, each a part of it. */
export interface Made {
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
    ...{ database, api, environment },
    /** Of the password `FIRST`. */
    passwordHash: await hashPassword('FIRST'),
    /** Runs `postern account …`; the API knows the result. */
    command: async (...args: string[]): Promise<Made> => {
      const { exitCode, stdout, stderr } = await runCommand(environment, 'account', ...args, '--json')
      assert.equal(exitCode, 0, stderr)
      await api.accounts.refresh()
      return JSON.parse(stdout) as Made
    },
    login: (clientId: string, password: string, from = '192.0.2.1'): Promise<Answer> =>
      api.inject({
        method: 'POST',
        url: '/v1/auth/token',
        headers: { 'x-svc-client-id': clientId, 'x-svc-client-passwd': password, 'x-forwarded-for': from },
      }),
    use: (bearer: string, path = '/v1/report/polling', from = '192.0.2.1'): Promise<Answer> =>
      api.inject({
        method: path.startsWith('/v1/send') ? 'POST' : 'GET',
        url: path,
        headers: { authorization: `Bearer ${bearer}`, 'x-forwarded-for': from },
      }),
    /** As if the overlap or the life of the credential were over. */
    end: (keyId: string): Promise<unknown> =>
      database.query(`update credentials set ends_at = now() - interval '1 second' where key_id = $1`, [
        keyId,
      ]),
  }
}
