import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { createTestServer, type Envelope, type TestAccount } from '../../../test/support/http/server.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { changeAccountTrust } from '../../trust/accounts.ts'
import { changeAccountAdvertising } from '../../trust/advertising/accounts.ts'
import { updateProtection, setCap, type Protection } from '../../trust/abuse/protection.ts'
import { switchedRules } from '../../trust/rules.ts'
import { registerSenders } from '../../trust/senders/register.ts'
import type { SenderKind } from '../../trust/senders/sender.ts'
import { setSwitches } from '../../trust/switches.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
await broker.declare(Object.values(topology.accepted))
const sandbox = { protocol: 'sandbox', options: {} }
await upsertRoute(database, testRoute('mobile', { ...sandbox, channels: ['sms'], prefixes: ['010'] }))
await upsertRoute(database, testRoute('world', { ...sandbox, channels: ['international'] }))
const day = Date.parse('2026-11-17T12:00:00+09:00')
let now = day
const api = await createTestServer({
  database,
  broker,
  topology,
  originCode: '100000001',
  rulesTime: () => now,
})
const act = createTestAuditContext()
await setSwitches(database, switchedRules, true, act)
// Without this rule, only opt-outs decide about advertisements.
await setSwitches(database, ['advertisement-consent'], false, act)

const korean = '0234567890'
const foreign = '+12025550123'
const alphanumeric = 'AD-Acme 24'
const [domestic, international] = ['01012345678', '+821012345678']
const text = 'Your order is ready'
const advertisement = '(광고)Shop\n무료거부 080-123-4567'

async function openAccount(change: Partial<Protection> = {}): Promise<TestAccount> {
  const account = await api.account()
  const senders: [SenderKind, string][] = [
    ['number', korean],
    ['international', foreign],
    ['international', alphanumeric],
  ]
  const proof = { kind: 'operator', reference: 'T-1', issued: null } as const
  await registerSenders(
    database,
    senders.map(([kind, value]) => ({
      accountId: account.id,
      kind,
      value,
      proof,
      validUntil: null,
      state: 'active',
    })),
    act,
  )
  await changeAccountAdvertising(database, account.id, { names: ['Shop'], optOutNumbers: ['0801234567'] })
  await updateProtection(database, account.id, change)
  await api.trust.cache.refresh()
  return account
}

const send = async (account: TestAccount, body: object = {}, query = ''): Promise<Envelope> => {
  const request = { from: korean, to: international, text, ...body }
  return (await api.call(account, 'POST', `/v1/send/international${query}`, request)).body
}
const destinationOf = ({ data }: Envelope) =>
  (
    data as {
      destinations: { to: string; steps: { channel: string; msgType: string; hasRoute: boolean }[] }[]
    }
  ).destinations[0]!

suite('a send to +82', () => {
  test('is accepted as the domestic message that it is, and takes a domestic route', async () => {
    const account = await openAccount()
    assert.equal((await send(account)).code, 'A000')
    const { to, steps } = destinationOf(await send(account, {}, '?dryRun=true'))
    assert.equal(to, domestic)
    const [{ channel, msgType, hasRoute }] = steps as [(typeof steps)[0]]
    assert.deepEqual([channel, msgType, hasRoute], ['sms', 'SM', true])
    const long = destinationOf(await send(account, { text: '가'.repeat(46) }, '?dryRun=true'))
    assert.deepEqual([long.steps[0]!.channel, long.steps[0]!.msgType], ['mms', 'LM'])
  })

  test('needs no enabled country, unlike a send abroad', async () => {
    const account = await openAccount({ countries: [] })
    assert.equal((await send(account)).code, 'A000')
    assert.equal((await send(account, { to: '+12025550188' })).code, 'A342')
  })

  for (const from of [foreign, alphanumeric])
    test(`is refused from ${from}, which may send abroad`, async () => {
      const account = await openAccount({ countries: ['US'] })
      assert.equal((await send(account, { from, to: '+12025550188' })).code, 'A000')
      for (const query of ['', '?dryRun=true']) {
        const { code, result } = await send(account, { from }, query)
        assert.equal(code, 'A302', result)
        assert.match(result, /^Invalid or empty 'from': must be a Korean number/)
      }
    })

  test('is refused from a Korean number that is not registered', async () => {
    assert.equal((await send(await openAccount(), { from: '0277777777' })).code, 'A327')
  })

  test('is refused for a number that is not a domestic recipient', async () => {
    const account = await openAccount()
    for (const to of ['+8215881588', '+821', '+82601234567', '+82101234567890', '+8200'])
      assert.equal((await send(account, { to })).code, 'A306', to)
  })

  test('is refused as an advertisement after an opt-out of either spelling', async () => {
    const account = await openAccount()
    assert.equal((await send(account, { text: advertisement })).code, 'A000')
    await api.call(account, 'POST', '/v1/suppression', { to: [domestic] })
    await api.trust.cache.refresh()
    assert.equal((await send(account, { text: advertisement })).code, 'A324')
    assert.equal((await send(account)).code, 'A000')
    const other = '+821099998888'
    await api.call(account, 'POST', '/v1/suppression', { to: [other] })
    await api.trust.cache.refresh()
    assert.equal((await send(account, { text: advertisement, to: other })).code, 'A324')
  })

  test('is refused as an advertisement at night in Korea', async () => {
    const account = await openAccount()
    now = Date.parse('2026-11-17T22:00:00+09:00')
    const { code } = await send(account, { text: advertisement })
    now = day
    assert.equal(code, 'A341')
  })

  test('is refused as an advertisement without its domestic form', async () => {
    assert.equal((await send(await openAccount(), { text: '(광고) sale' })).code, 'A340')
  })

  test('is refused without the origin code of the account', async () => {
    const account = await openAccount()
    await changeAccountTrust(database, account.id, { kind: 'reseller', originCodes: [] })
    await api.trust.cache.refresh()
    const { code, result } = await send(account)
    assert.equal(code, 'A300')
    assert.match(result, /originCID/)
  })

  test('counts for the velocity of the domestic number and for the cap of SMS', async () => {
    const fast = await openAccount({ recipientPerHour: 2 })
    const sms = { from: korean, to: domestic, text }
    assert.equal((await api.call(fast, 'POST', '/v1/send/sms', sms)).body.code, 'A000')
    assert.equal((await send(fast)).code, 'A000')
    assert.equal((await send(fast)).code, 'A344')
    assert.equal((await api.call(fast, 'POST', '/v1/send/sms', sms)).body.code, 'A344')
    const capped = await openAccount()
    await setCap(database, capped.id, { period: 'day', class: 'sms', max: 1 })
    await api.trust.cache.refresh()
    assert.equal((await send(capped)).code, 'A000')
    assert.equal((await send(capped)).code, 'A343')
  })
})
