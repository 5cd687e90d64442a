import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog, testMetrics } from '../../../../test/support/silent-log.ts'
import { isSettled } from '../../../../test/support/wait.ts'
import type { Account } from '../../../identity/accounts/account.ts'
import type { Credential } from '../../../identity/accounts/credential.ts'
import { indexAccounts, type AccountIndex } from '../../../identity/accounts/directory.ts'
import { hashPassword } from '../../../identity/accounts/password.ts'
import { Problem } from '../../../contract/problem.ts'
import { TableCache } from '../../../platform/database/table-cache.ts'
import { createLimiter } from '../../../platform/limiter/limiter.ts'
import { CheckQueue } from './check-queue.ts'
import { createTokenIssuer } from './issue.ts'
import { createTokenThrottle } from './throttle.ts'
import { createTokenKey } from './token.ts'

const password = 'secret'
const hash = await hashPassword(password)

class Accounts extends TableCache<AccountIndex> {
  /** If set, refreshes wait for it, as they do while PostgreSQL hangs. */
  hanging: Promise<boolean> | undefined

  override refreshEarly(): Promise<boolean> {
    return this.hanging ?? super.refreshEarly()
  }
}

/** Creates a table of accounts and an issuer that reads it. */
async function setUp(failuresPerMinute = 10) {
  const rows = new Map<string, { account: Account; password: Credential }>()
  let version = 0
  const set = (clientId: string, passwordHash = hash): void => {
    const id = rows.get(clientId)?.account.id ?? rows.size + 1
    const account = { id, clientId, tokenEpoch: 1, blocked: false }
    const password = { id, accountId: id, kind: 'password', hash: passwordHash, endsAt: null, networks: null }
    rows.set(clientId, {
      account: account as unknown as Account,
      password: password as unknown as Credential,
    })
    version++
  }
  set('known')
  const source = {
    what: 'accounts',
    version: () => Promise.resolve(String(version)),
    load: () =>
      Promise.resolve(
        indexAccounts(
          [...rows.values()].map(({ account }) => account),
          [...rows.values()].map(({ password }) => password),
        ),
      ),
  }
  const accounts = new Accounts(source, silentLog)
  await accounts.refresh()
  const limiter = createLimiter({
    redis: undefined,
    keyPrefix: '',
    waitMs: 50,
    metrics: testMetrics(),
    log: silentLog,
  })
  const throttle = createTokenThrottle(limiter, { requestsPerMinute: 600, failuresPerMinute })
  const issuer = createTokenIssuer({
    accounts,
    tokenKey: createTokenKey('x'.repeat(40), '00'),
    throttle,
    queue: new CheckQueue({ known: 10, unknown: 3 }),
    requireFresh: () => undefined,
  })
  const ask = (clientId: string, given = password): Promise<string> =>
    issuer.issue({ clientId, address: '::1' }, given, new Date()).then(
      () => 'A000',
      (error: unknown) => (error as Problem).code,
    )
  return { set, accounts, ask }
}

test('the first request of a new account uses one reservation only', async () => {
  const { set, ask } = await setUp(1)
  set('new')
  assert.equal(await ask('new'), 'A000')
})

test('a new account gets a token right after a request with an unknown id', async () => {
  const { set, ask } = await setUp()
  assert.equal(await ask('nobody'), 'A100')
  set('new')
  assert.equal(await ask('new'), 'A000')
})

test('a password changed a moment ago is accepted', async () => {
  const { set, ask } = await setUp()
  set('known', await hashPassword('changed'))
  assert.equal(await ask('known', 'changed'), 'A000')
})

test('unknown ids and wrong passwords wait equally for a hanging PostgreSQL', async () => {
  const { accounts, ask } = await setUp()
  const hanging = Promise.withResolvers<boolean>()
  accounts.hanging = hanging.promise
  const wrong = [ask('known', 'wrong'), ask('unknown', 'wrong')]
  // Unknown clients are checked one after the other, so the wrong ones would get their response before it.
  assert.equal(await Promise.race([...wrong, ask('known')]), 'A000')
  for (const answer of wrong) assert.equal(await isSettled(answer), false)
  hanging.resolve(false)
  assert.deepEqual(await Promise.all(wrong), ['A100', 'A100'])
})

test('known clients get tokens during a flood of unknown ids', async () => {
  const { ask, set } = await setUp()
  set('client')
  assert.equal(await ask('client'), 'A000')
  const flood = Array.from({ length: 20 }, (_, n) => ask(`random ${n}`, 'guess'))
  // The password was changed, so it must be checked again.
  set('client', await hashPassword('changed'))
  assert.equal(await ask('client', 'changed'), 'A000')
  const codes = await Promise.all(flood)
  assert.deepEqual([...new Set(codes)].sort(), ['A100', 'A920'])
  // One check of an unknown client runs, and three wait.
  assert.equal(codes.filter((code) => code === 'A920').length, 20 - 4)
})
