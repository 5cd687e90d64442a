import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createTestServer, type Envelope, type TestAccount } from '../../../test/support/http/server.ts'
import { acceptedJob, routeJob } from '../../../test/support/fixtures.ts'
import { silentLog } from '../../../test/support/silent-log.ts'
import { openRules } from '../../carriers/routes/route.ts'
import type { RouteShare } from '../../carriers/routes/shares.ts'
import { createOriginForm, setOriginForm } from '../../channels/origin-form.ts'
import { loadSettings } from '../../platform/settings/config.ts'
import { changeAccountTrust } from '../accounts.ts'
import type { TrustSettings } from '../settings.ts'
import { setSwitches } from '../switches.ts'
import { checkTrustAtStart } from '../start.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const operator = '100000001'
const [main, second, foreign] = ['200000001', '200000002', '900000009']
const api = await createTestServer({ database, broker, topology, originCode: operator })
const auditContext = createTestAuditContext()
const [customer, reseller, empty] = [await api.account(), await api.account(), await api.account()]
await changeAccountTrust(database, reseller.id, { kind: 'reseller', originCodes: [main, second] })
await changeAccountTrust(database, empty.id, { kind: 'reseller' })
await setSwitches(database, ['origin-code-owned', 'origin-code-present'], true, auditContext)
await api.trust.cache.refresh()

const sms = (originCID?: string) => ({
  from: '0234567890',
  to: '01012345678',
  text: 'hello',
  ...(originCID === undefined ? {} : { originCID }),
})
const send = async (account: TestAccount, body: object, path = 'sms'): Promise<Envelope> =>
  (await api.call(account, 'POST', `/v1/send/${path}`, body)).body
const assertRefused = async (
  account: TestAccount,
  body: object,
  why: RegExp,
  path = 'sms',
): Promise<void> => {
  const { code, result } = await send(account, body, path)
  assert.equal(code, 'A300', result)
  assert.match(result, why)
}

suite('at accept', () => {
  test('the code of the operator or none is accepted from a customer, another is not', async () => {
    for (const code of [undefined, operator]) assert.equal((await send(customer, sms(code))).code, 'A000')
    await assertRefused(customer, sms(foreign), /'originCID': is not registered for the account/)
    await assertRefused(customer, sms(main), /is not registered for the account/)
  })

  test('a reseller uses its own codes, and never that of the operator', async () => {
    for (const code of [undefined, main, second]) assert.equal((await send(reseller, sms(code))).code, 'A000')
    await assertRefused(reseller, sms(operator), /is not registered/)
    await assertRefused(empty, sms(), /has no default code/)
  })

  test('checks the code of a fallback as well', async () => {
    const fallback = { type: 'SMS', from: '0234567890', text: 'x', originCID: foreign }
    const body = { senderKey: 'k', templateCode: 't', msgType: 'AT', to: '01012345678', text: 'x', fallback }
    await assertRefused(customer, body, /'fallback\.originCID'/, 'alimtalk')
  })
})

test('only the form of a code is checked while neither the operator nor the account has one', async () => {
  await setSwitches(database, ['origin-code-present'], false, auditContext)
  const withoutCode = await createTestServer({ database, broker, topology })
  const [plain, owner] = [await withoutCode.account(), await withoutCode.account()]
  await changeAccountTrust(database, owner.id, { originCodes: [main] })
  await withoutCode.trust.cache.refresh()
  const codeOf = async (account: TestAccount, code: string): Promise<string> =>
    (await withoutCode.call(account, 'POST', '/v1/send/sms', sms(code))).body.code
  assert.equal(await codeOf(plain, foreign), 'A000')
  assert.equal(await codeOf(plain, '12345678'), 'A300')
  assert.equal(await codeOf(owner, main), 'A000')
  assert.equal(await codeOf(owner, foreign), 'A300')
  await setSwitches(database, ['origin-code-present'], true, auditContext)
})

test('the form of codes is nine digits, or the configured pattern', async (t) => {
  for (const wrong of ['12345678', '1234567890', 'A12345678'])
    await assertRefused(customer, sms(wrong), /'originCID': must be nine digits/)
  const account = await api.account()
  await changeAccountTrust(database, account.id, { originCodes: ['K1234', 'K12345'] })
  await api.trust.cache.refresh()
  t.after(() => setOriginForm(createOriginForm({})))
  setOriginForm(createOriginForm({ originPattern: '[A-Z][0-9]{4,5}' }))
  for (const code of ['K1234', 'K12345']) assert.equal((await send(account, sms(code))).code, 'A000')
  for (const wrong of ['K123', 'K123456', '200000001', 'k1234'])
    await assertRefused(account, sms(wrong), /must be a code of the form \[A-Z\]\[0-9\]\{4,5\}/)
  const flow = {
    destinations: [{ to: '01012345678' }],
    messageFlow: [{ sms: { from: '0234567890', text: 'x', originCID: 'K1' } }],
  }
  await assertRefused(account, flow, /'messageFlow\[0\]\.sms\.originCID': must be a code/, 'omni')
})

suite('at submission', () => {
  const job = (accountId: number, originCid?: string) => {
    const step = { channel: 'sms', from: '0234567890', text: 'x' } as const
    const steps = [originCid === undefined ? step : { ...step, originCid }]
    return routeJob(acceptedJob({ accountId, steps, acceptedAt: Date.now() - 2_000 }))
  }
  const route = { protocol: 'smpp' } as RouteShare

  test('a code that the account has lost since fails as a wrong origin code', async () => {
    assert.equal(api.trust.checkSubmission(job(reseller.id, second), route), null)
    await changeAccountTrust(database, reseller.id, { originCodes: [main] })
    await api.trust.cache.refresh()
    const denial = api.trust.checkSubmission(job(reseller.id, second), route)
    assert.deepEqual(
      [denial?.verdict, denial?.rule, (denial as { cause?: string }).cause],
      ['fail', 'origin-code-owned', 'origin-code'],
    )
    assert.equal((api.trust.checkSubmission(job(empty.id), route) as { cause?: string }).cause, 'origin-code')
  })

  test('the code is that of the send, else of the account, else of the operator', () => {
    assert.equal(api.trust.getOrigin(job(customer.id)), operator)
    assert.equal(api.trust.getOrigin(job(reseller.id)), main)
    assert.equal(api.trust.getOrigin(job(reseller.id, second)), second)
    assert.equal(api.trust.getOrigin(job(empty.id)), undefined)
    const abroad = routeJob(
      acceptedJob({ accountId: customer.id, steps: [{ channel: 'international', from: '1', text: 'x' }] }),
    )
    assert.equal(api.trust.getOrigin(abroad), undefined)
  })
})

test('an SMS uses no route that cannot transmit the code', async () => {
  const share = (protocol: string, options: object): RouteShare => ({
    routeId: 'r',
    id: 'r',
    channels: ['sms'],
    protocol,
    options: { ...options },
    priority: 1,
    partsPerSecond: 0,
    enabled: true,
    ...openRules,
  })
  const link = { host: 'h', port: 2775, systemId: 'me', password: 'p' }
  const request = { accountId: customer.id, channel: 'sms', to: '01012345678', msgKey: '' } as const
  const [without, withTag] = [share('smpp', link), share('smpp', { ...link, originCidTag: 0x1401 })]
  assert.equal(api.trust.isRouteAllowed(request, without), true)
  await setSwitches(database, ['origin-code-carried'], true, auditContext)
  await api.trust.cache.refresh()
  assert.equal(api.trust.isRouteAllowed(request, without), false)
  assert.equal(api.trust.isRouteAllowed(request, withTag), true)
  assert.equal(api.trust.isRouteAllowed(request, share('sandbox', {})), true)
  assert.equal(api.trust.isRouteAllowed({ ...request, channel: 'international' }, without), true)
})

test('a process does not start without the code that a rule requires', () => {
  const state = api.trust.cache.value
  assert.throws(() => checkTrustAtStart(state, {}, silentLog), /POSTERN_ORIGIN_CODE is not set/)
  checkTrustAtStart(state, { originCode: operator }, silentLog)
})

test('a process does not start with a code of another form, or with an invalid form', (t) => {
  t.after(() => setOriginForm(createOriginForm({})))
  const check = (settings: TrustSettings): void =>
    checkTrustAtStart(api.trust.cache.value, settings, silentLog)
  assert.throws(() => check({ originCode: 'K1234' }), /POSTERN_ORIGIN_CODE must be nine digits; correct it/)
  check({ originCode: 'K1234', originPattern: '[A-Z][0-9]{4}' })
  assert.throws(() => check({ originPattern: '[0-9]{9,8}' }), /POSTERN_ORIGIN_PATTERN is not a valid pattern/)
  for (const originPattern of ['[0-9]{99}', '[0-9]{15,21}', '[A-Z]{12}[0-9]{9}', '[0-9]{0}'])
    assert.throws(
      () => check({ originPattern }),
      /POSTERN_ORIGIN_PATTERN must allow codes of 1 to 20 characters/,
      originPattern,
    )
  for (const originPattern of ['[0-9]{20}', '[A-Z][0-9]{8,19}', '[A-Z0-9]'])
    createOriginForm({ originPattern })
  for (const [pattern, isValid] of [
    ...[['[0-9]{9}', true] as const, ['[A-Z0-9]{4,10}', true] as const, ['[A-Z][0-9]{8}', true] as const],
    ...[['.*', false] as const, ['([0-9]+)+', false] as const, ['[0-9]{9', false] as const],
  ]) {
    const load = () => loadSettings(['originPattern'], { POSTERN_ORIGIN_PATTERN: pattern })
    if (isValid) assert.equal(load().originPattern, pattern)
    else assert.throws(load, /POSTERN_ORIGIN_PATTERN must be a pattern such as/)
  }
})
