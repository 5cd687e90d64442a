import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTestOperator, createTestAdmin } from '../../test/support/http/admin.ts'
import { enrol } from '../../test/support/http/browser.ts'
import { createAccount } from '../../test/support/fixtures.ts'
import { waitFor } from '../../test/support/wait.ts'
import { loadConfig } from '../platform/settings/config.ts'
import type { Database } from '../platform/database/database.ts'
import { createAuthenticateOperator } from './authenticate.ts'
import { adminOperations } from '../operations/operations.ts'
import { RefusedSignIns } from '../operations/refused-sign-ins.ts'
import { cookieNames } from '../operations/sign-in/cookies.ts'
import { RefusalThrottle } from '../operations/throttle.ts'

const admin = await createTestAdmin()
const { database } = admin

/** Maximum concurrent lookups, as in `authenticate.ts`. */
const maxLookups = 64

/** A database whose accounts table blocks until `until` resolves. */
function holdAccounts(until: Promise<unknown>): { readonly held: Database; readonly count: () => number } {
  let waiting = 0
  const blockingDatabase = Object.create(database) as Database
  const query = async (text: string, values: unknown[]): Promise<unknown> => {
    if (text.includes('from accounts')) {
      waiting += 1
      await until
    }
    return database.query(text, values)
  }
  Object.assign(blockingDatabase, { query })
  return { held: blockingDatabase, count: () => waiting }
}

test('sessions of clients that wait for their account count as lookups in progress', async () => {
  await addTestOperator(database, 'park', 'client', await createAccount(database, 'shop'))
  const { browser } = await enrol(database, admin.server, 'park')
  const config = loadConfig({
    POSTERN_DATABASE_URL: admin.url,
    POSTERN_BROKER_URLS: 'amqp://127.0.0.1',
    POSTERN_TOKEN_SECRET: 'x'.repeat(32),
  })
  const answered = Promise.withResolvers<undefined>()
  const { held, count } = holdAccounts(answered.promise)
  const authenticate = createAuthenticateOperator(
    { signIns: held, writes: database, config },
    {
      throttle: new RefusalThrottle(),
      refused: new RefusedSignIns(database),
      cookies: cookieNames(config, false),
    },
  )
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const showMe = adminOperations.find(({ id }) => id === 'showMe')!
  const authenticateClient = () =>
    authenticate({ headers: { cookie }, address: '127.0.0.1', active: false }, showMe)
  const requests = Array.from({ length: maxLookups }, authenticateClient)
  await waitFor('all lookups of the account', () => count() === maxLookups)
  await assert.rejects(authenticateClient(), /too many requests are in progress/)
  answered.resolve(undefined)
  for (const { signed } of await Promise.all(requests)) assert.equal(signed.account?.clientId, 'shop')
  assert.equal((await authenticateClient()).signed.name, 'park')
})
