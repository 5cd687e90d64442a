/** Token requests beside a changing table of accounts: new accounts, new passwords, and a database that hangs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quietLog, testMetrics } from '../../../test/support/silent-log.ts'
import type { StoredAccount } from '../../accounts/account.ts'
import type { Credential } from '../../accounts/credential.ts'
import { indexAccounts } from '../../accounts/directory.ts'
import { hashPassword } from '../../accounts/password.ts'
import { Problem } from '../../contract/problem.ts'
import { TableCache } from '../../platform/table-cache.ts'
import { createLimiter } from '../limits/limiter.ts'
import { CheckQueue } from './check-queue.ts'
import { createTokenIssuer } from './issue.ts'
import { createTokenThrottle } from './throttle.ts'
import { createTokenKey } from './token.ts'

const password = 'secret'
const hash = await hashPassword(password)

/** A table of accounts and an issuer that reads it. */
async function setUp(failuresPerMinute = 10) {
  const rows = new Map<string, { account: StoredAccount; password: Credential }>()
  const state = { version: 0, hangs: false }
  const set = (clientId: string, passwordHash = hash): void => {
    const id = rows.get(clientId)?.account.id ?? rows.size + 1
    const account = { id, clientId, tokenEpoch: 1, blocked: false, moving: false, servedBy: null }
    const password = { id, accountId: id, kind: 'password', hash: passwordHash, endsAt: null, networks: null }
    rows.set(clientId, {
      account: account as unknown as StoredAccount,
      password: password as unknown as Credential,
    })
    state.version++
  }
  set('known')
  const source = {
    what: 'accounts',
    version: () => (state.hangs ? new Promise<string>(() => {}) : Promise.resolve(String(state.version))),
    load: () =>
      Promise.resolve(
        indexAccounts(
          [...rows.values()].map(({ account }) => account),
          [...rows.values()].map(({ password }) => password),
        ),
      ),
  }
  const accounts = new TableCache(source, quietLog)
  await accounts.refresh()
  const limiter = createLimiter({
    redis: undefined,
    keyPrefix: '',
    waitMs: 50,
    metrics: testMetrics(),
    log: quietLog,
  })
  const throttle = createTokenThrottle(limiter, { requestsPerMinute: 600, failuresPerMinute })
  const issuer = createTokenIssuer({
    ...{ accounts, tokenKey: createTokenKey('x'.repeat(40), '00'), throttle },
    queue: new CheckQueue({ familiar: 10, stranger: 3 }),
  })
  const ask = async (clientId: string, given = password) => {
    const began = performance.now()
    const code = await issuer.issue({ clientId, address: '::1' }, given, new Date()).then(
      () => 'A000',
      (error: unknown) => (error as Problem).code,
    )
    return { code, ms: performance.now() - began }
  }
  return { set, state, ask }
}

test('the first request of a new account uses one reservation only', async () => {
  const { set, ask } = await setUp(1)
  set('new')
  assert.equal((await ask('new')).code, 'A000')
})

test('a new account gets a token right after a request with an unknown id', async () => {
  const { set, ask } = await setUp()
  assert.equal((await ask('nobody')).code, 'A100')
  set('new')
  assert.equal((await ask('new')).code, 'A000')
})

test('a password changed a moment ago is accepted', async () => {
  const { set, ask } = await setUp()
  set('known', await hashPassword('changed'))
  assert.equal((await ask('known', 'changed')).code, 'A000')
})

test('an unknown id and a wrong password take the same time while PostgreSQL hangs', async () => {
  const { state, ask } = await setUp()
  state.hangs = true
  const known = await ask('known', 'wrong')
  const unknown = await ask('unknown', 'wrong')
  assert.deepEqual([known.code, unknown.code], ['A100', 'A100'])
  assert.ok(Math.abs(known.ms - unknown.ms) < 150, `${known.ms} and ${unknown.ms} ms`)
  assert.equal((await ask('known')).code, 'A000')
})

test('a flood of unknown ids is refused with a time to retry, and a client that logged in before still gets tokens', async () => {
  const { ask, set } = await setUp()
  set('client')
  assert.equal((await ask('client')).code, 'A000')
  const flood = Array.from({ length: 20 }, (_, n) => ask(`random ${n}`, 'guess'))
  // Its password was changed, so it has to be checked again.
  set('client', await hashPassword('changed'))
  const began = performance.now()
  assert.equal((await ask('client', 'changed')).code, 'A000')
  const clientMs = performance.now() - began
  const codes = (await Promise.all(flood)).map(({ code }) => code)
  const floodMs = performance.now() - began
  assert.deepEqual([...new Set(codes)].sort(), ['A100', 'A920'])
  assert.ok(codes.filter((code) => code === 'A920').length === 16)
  assert.ok(clientMs < floodMs, `${clientMs} ms, the flood ${floodMs} ms`)
})

test('a correct password does not wait for PostgreSQL', async () => {
  const { state, ask } = await setUp()
  state.hangs = true
  const { code, ms } = await ask('known')
  assert.equal(code, 'A000')
  assert.ok(ms < 450, `${ms} ms`)
})
