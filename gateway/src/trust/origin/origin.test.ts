/** The code of the first operator: an account uses its own, and every domestic text has one where the rule demands it. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { testAct } from '../../../test/support/act.ts'
import { createTestBroker } from '../../../test/support/broker.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { createTestServer, type Envelope, type TestAccount } from '../../../test/support/server.ts'
import { acceptedJob, routeJob } from '../../../test/support/fixtures.ts'
import { quietLog } from '../../../test/support/silent-log.ts'
import { openRules } from '../../routes/route.ts'
import type { RouteShare } from '../../routes/shares.ts'
import { changeAccountTrust } from '../accounts.ts'
import { setSwitches } from '../switches.ts'
import { checkTrustAtStart } from '../start.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const operator = '100000001'
const [own, second, foreign] = ['200000001', '200000002', '900000009']
const api = await createTestServer({ database, broker, topology, originCode: operator })
const act = testAct()
const [customer, reseller, empty] = [await api.account(), await api.account(), await api.account()]
await changeAccountTrust(database, reseller.id, { kind: 'reseller', originCodes: [own, second] })
await changeAccountTrust(database, empty.id, { kind: 'reseller' })
await setSwitches(database, ['origin-code-owned', 'origin-code-present'], true, act)
await api.trust.cache.refresh()

const sms = (originCID?: string) => ({
  ...{ from: '0234567890', to: '01012345678', text: 'hello' },
  ...(originCID === undefined ? {} : { originCID }),
})
const send = async (account: TestAccount, body: object, path = 'sms'): Promise<Envelope> =>
  (await api.call(account, 'POST', `/v1/send/${path}`, body)).body
const refuses = async (account: TestAccount, body: object, why: RegExp, path = 'sms'): Promise<void> => {
  const { code, result } = await send(account, body, path)
  assert.equal(code, 'A300', result)
  assert.match(result, why)
}

suite('at accept', () => {
  test('the code of the operator or none is accepted from a customer, another is not', async () => {
    for (const code of [undefined, operator]) assert.equal((await send(customer, sms(code))).code, 'A000')
    await refuses(customer, sms(foreign), /'originCID': is not a code of the account/)
    await refuses(customer, sms(own), /is not a code of the account/)
  })

  test('a reseller uses its own codes, and never that of the operator', async () => {
    for (const code of [undefined, own, second]) assert.equal((await send(reseller, sms(code))).code, 'A000')
    await refuses(reseller, sms(operator), /is not a code/)
    await refuses(empty, sms(), /has no code of its own/)
  })

  test('the code of a fallback is judged too', async () => {
    const fallback = { type: 'SMS', from: '0234567890', text: 'x', originCID: foreign }
    const body = { senderKey: 'k', templateCode: 't', msgType: 'AT', to: '01012345678', text: 'x', fallback }
    await refuses(customer, body, /'fallback\.originCID'/, 'alimtalk')
  })
})

suite('at submission', () => {
  const job = (accountId: number, originCid?: string) => {
    const step = { channel: 'sms', from: '0234567890', text: 'x' } as const
    const steps = [originCid === undefined ? step : { ...step, originCid }]
    return routeJob(acceptedJob({ accountId, steps, acceptedAt: Date.now() - 2_000 }))
  }
  const route = { protocol: 'smpp' } as RouteShare

  test('a code that the account has lost since fails as a wrong origin code', async () => {
    assert.equal(api.trust.judgeSubmission(job(reseller.id, second), route), null)
    await changeAccountTrust(database, reseller.id, { originCodes: [own] })
    await api.trust.cache.refresh()
    const denial = api.trust.judgeSubmission(job(reseller.id, second), route)
    assert.deepEqual(
      [denial?.verdict, denial?.rule, (denial as { cause?: string }).cause],
      ['fail', 'origin-code-owned', 'origin-code'],
    )
    assert.equal((api.trust.judgeSubmission(job(empty.id), route) as { cause?: string }).cause, 'origin-code')
  })

  test('the code is the one given, else that of the account, else that of the operator', () => {
    assert.equal(api.trust.originOf(job(customer.id)), operator)
    assert.equal(api.trust.originOf(job(reseller.id)), own)
    assert.equal(api.trust.originOf(job(reseller.id, second)), second)
    assert.equal(api.trust.originOf(job(empty.id)), undefined)
    const abroad = routeJob(
      acceptedJob({ accountId: customer.id, steps: [{ channel: 'international', from: '1', text: 'x' }] }),
    )
    assert.equal(api.trust.originOf(abroad), undefined)
  })
})

test('a route without a place for the code is not chosen for SMS and MMS while the rule is on', async () => {
  const share = (protocol: string, options: object): RouteShare => ({
    ...{ routeId: 'r', id: 'r', channels: ['sms'], protocol, options: { ...options } },
    ...{ priority: 1, partsPerSecond: 0, enabled: true, ...openRules },
  })
  const link = { host: 'h', port: 2775, systemId: 'me', password: 'p' }
  const request = { accountId: customer.id, channel: 'sms', to: '01012345678', msgKey: '' } as const
  const [without, withTag] = [share('smpp', link), share('smpp', { ...link, originCidTag: 0x1401 })]
  assert.equal(api.trust.mayUse(request, without), true)
  await setSwitches(database, ['origin-code-carried'], true, act)
  await api.trust.cache.refresh()
  assert.equal(api.trust.mayUse(request, without), false)
  assert.equal(api.trust.mayUse(request, withTag), true)
  assert.equal(api.trust.mayUse(request, share('sandbox', {})), true)
  assert.equal(api.trust.mayUse({ ...request, channel: 'international' }, without), true)
})

test('a process does not start without the code that a rule demands', () => {
  const state = api.trust.cache.value
  assert.throws(() => checkTrustAtStart(state, {}, quietLog), /POSTERN_ORIGIN_CODE is not set/)
  checkTrustAtStart(state, { originCode: operator }, quietLog)
})
