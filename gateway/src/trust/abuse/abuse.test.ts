import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, routeJob } from '../../../test/support/fixtures.ts'
import { createTestRedis } from '../../../test/support/engines/redis.ts'
import { createTestServer, type TestAccount } from '../../../test/support/http/server.ts'
import type { RouteShare } from '../../carriers/routes/shares.ts'
import type { RuleId } from '../rules.ts'
import { setSwitches } from '../switches.ts'
import { updateProtection, type Protection } from './protection.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
await broker.declare(Object.values(topology.accepted))
const { redis } = await createTestRedis()
const api = await createTestServer({
  database,
  broker,
  topology,
  redis,
  shorteners: ['sho.rt'],
  recipientPerHour: 40,
})
const rules: RuleId[] = [
  ...(['country-enabled', 'premium-recipient', 'recipient-velocity', 'prefix-velocity'] as const),
  ...(['link-allowed', 'carrier-mark-not-in-text'] as const),
]
await setSwitches(database, rules, true, createTestAuditContext())
await api.trust.cache.refresh()

async function account(change: Partial<Protection> = {}): Promise<TestAccount> {
  const created = await api.account()
  await updateProtection(database, created.id, change)
  await api.trust.cache.refresh()
  return created
}
const send = async (from: TestAccount, to: string, text = 'hello', query = ''): Promise<string> => {
  const channel = to.startsWith('+') ? 'international' : 'sms'
  const { body } = await api.call(from, 'POST', `/v1/send/${channel}${query}`, {
    from: '0234567890',
    to,
    text,
  })
  return body.code
}
const repeat = async (count: number, work: (n: number) => Promise<string>): Promise<string[]> => {
  const codes: string[] = []
  for (let n = 0; n < count; n++) codes.push(await work(n))
  return codes
}

suite('countries', () => {
  test('a new account can send to no foreign country, later only to enabled ones', async () => {
    const shop = await account()
    assert.equal(await send(shop, '+4915112345678'), 'A342')
    assert.equal(await send(shop, '+4915112345678', 'hello', '?dryRun=true'), 'A342')
    assert.equal(await send(shop, '01012345678'), 'A000')
    await updateProtection(database, shop.id, { countries: ['DE'] })
    await api.trust.cache.refresh()
    assert.equal(await send(shop, '+4915112345678'), 'A000')
    assert.deepEqual([await send(shop, '+12025550123'), await send(shop, '+18095550123')], ['A342', 'A342'])
    await updateProtection(database, shop.id, { countries: ['*'] })
    await api.trust.cache.refresh()
    assert.equal(await send(shop, '+18095550123'), 'A000')
  })

  test('a message that was accepted before its country was closed is not submitted', async () => {
    const shop = await account({ countries: ['DE'] })
    const before = { accountId: shop.id, acceptedAt: Date.now() - 2_000 }
    const job = routeJob({ ...acceptedJob(before), to: '+4915112345678' })
    const route = { protocol: 'smpp' } as RouteShare
    assert.equal(api.trust.checkSubmission(job, route), null)
    await updateProtection(database, shop.id, { countries: [] })
    await api.trust.cache.refresh()
    const denial = api.trust.checkSubmission(job, route)
    assert.deepEqual([denial?.verdict, denial?.rule], ['fail', 'country-enabled'])
  })

  test('premium, personal and satellite numbers are refused, whichever countries are enabled', async () => {
    const shop = await account({ countries: ['*'] })
    for (const to of [
      ...['+979123456789', '+88216123456', '0601234567', '+447012345678', '+449123456789', '+33891234567'],
      ...['+39899123456', '+499001234567', '+611901234567', '+81990123456', '+18005550123'],
    ])
      assert.equal(await send(shop, to), 'A306', to)
    for (const to of ['+447912345678', '+33612345678', '+393912345678', '+4915112345678', '+61412345678'])
      assert.equal(await send(shop, to), 'A000', to)
  })

  test('premium numbers after an international call prefix are refused', async () => {
    const shop = await account()
    for (const to of ['001376312345', '00168512345', '002299123456'])
      assert.equal(await send(shop, to), 'A306', to)
  })

  test('islands with separate prices count as separate countries', async () => {
    const shop = await account({ countries: ['GB'] })
    assert.equal(await send(shop, '+447912345678'), 'A000')
    for (const to of ['+447797123456', '+447781123456', '+447624123456'])
      assert.equal(await send(shop, to), 'A342', to)
  })
})

suite('velocity', () => {
  test('the messages per hour to one number are limited', async () => {
    const shop = await account({ recipientPerHour: 3 })
    const codes = await repeat(4, () => send(shop, '01012345678'))
    assert.deepEqual(codes, ['A000', 'A000', 'A000', 'A344'])
    assert.equal(await send(shop, '01012345678', 'hello', '?dryRun=true'), 'A344')
    assert.equal(await send(shop, '01099998888'), 'A000')
    assert.equal(await send(await account(), '01012345678'), 'A000')
  })

  test('processes count together with Redis, and separately without it', async () => {
    for (const [shared, accepted] of [
      [{ redis }, 10],
      [{}, 20],
    ] as const) {
      const options = { database, broker, topology, ...shared }
      const processes = [await createTestServer(options), await createTestServer(options)]
      const shop = await processes[0]!.account()
      await updateProtection(database, shop.id, { recipientPerHour: 10 })
      for (const { accounts, trust } of processes)
        await Promise.all([accounts.refresh(), trust.cache.refresh()])
      const body = { from: '0234567890', to: '01012345678', text: 'hello' }
      const responses = await Promise.all(
        Array.from({ length: 30 }, (_, nth) => processes[nth % 2]!.call(shop, 'POST', '/v1/send/sms', body)),
      )
      assert.equal(responses.filter((response) => response.body.code === 'A000').length, accepted)
    }
  })

  test('a dry run counts nothing', async () => {
    const shop = await account({ recipientPerHour: 1 })
    await repeat(3, () => send(shop, '01012345678', 'hello', '?dryRun=true'))
    assert.equal(await send(shop, '01012345678'), 'A000')
  })

  test('a rejected message is not counted for its number or prefix', async () => {
    const shop = await account({ recipientPerHour: 1, prefixPer10Minutes: 30 })
    const steps = [{ channel: 'sms' as const, from: '0234567890', text: 'hello' }]
    for (let n = 100; n < 150; n++) {
      const counted = await api.trust.countDraft(shop.id, { to: `01012345${n}`, steps }, () => undefined)
      assert.ok(typeof counted === 'function')
      counted()
    }
    assert.deepEqual(await repeat(2, () => send(shop, '01012345149')), ['A000', 'A344'])
  })

  test('the messages per prefix are limited; numbers of the safe list are exempt', async () => {
    const shop = await account({ prefixPer10Minutes: 2, safeNumbers: ['0105555'] })
    const codes = await repeat(3, (n) => send(shop, `0101234500${n}`))
    assert.deepEqual(codes, ['A000', 'A000', 'A344'])
    assert.deepEqual(await repeat(3, (n) => send(shop, `0105555500${n}`)), ['A000', 'A000', 'A000'])
  })
})

suite('links', () => {
  test('are checked by the account setting: any, no shorteners, or registered domains only', async () => {
    const [any, direct, listed] = [
      await account(),
      await account({ links: 'no-shorteners', linkDomains: ['bit.ly'] }),
      await account({ links: 'listed', linkDomains: ['shop.kr'] }),
    ]
    const codes = async (text: string): Promise<string[]> => [
      await send(any, '01012345678', text),
      await send(direct, '01012345678', text),
      await send(listed, '01012345678', text),
    ]
    assert.deepEqual(await codes('https://m.shop.kr/a'), ['A000', 'A000', 'A000'])
    assert.deepEqual(await codes('https://other.kr/a'), ['A000', 'A000', 'A322'])
    assert.deepEqual(await codes('tinyurl.com/abc'), ['A000', 'A322', 'A322'])
    assert.deepEqual(await codes('sho.rt/abc'), ['A000', 'A322', 'A322'])
    assert.deepEqual(await codes('bit.ly/abc'), ['A000', 'A000', 'A322'])
    assert.deepEqual(await codes('no link at all.'), ['A000', 'A000', 'A000'])
  })

  test('to an unregistered domain are refused in every notation', async () => {
    const shop = await account({ links: 'listed', linkDomains: ['shop.kr'], recipientPerHour: 100 })
    for (const text of [
      ...['https://가shop.kr/login', 'http://1572395042/', 'http://0x5d.12345/', 'http://[2001:db8::1]/'],
      ...['go to evil.win', 'evil.com입니다.감사', 'https://shop.kr@evil.com'],
    ])
      assert.equal(await send(shop, '01012345678', text), 'A322', text)
    for (const text of ['shop.kr에서', 'https://shop.kr:8443/a', '1.First 2.Second', '12.500원, 끝.내일'])
      assert.equal(await send(shop, '01012345678', text), 'A000', text)
    const many = { from: '0234567890', to: '01012345678', text: `${'shop.kr '.repeat(30)}evil.com` }
    assert.equal((await api.call(shop, 'POST', '/v1/send/mms', many)).body.code, 'A322')
  })

  test('a text with the mark of a carrier is refused', async () => {
    const shop = await account()
    for (const text of ['[Web발신] hello', '［국제발신］hello', 'hello (국외 발신)'])
      assert.equal(await send(shop, '01012345678', text), 'A322', text)
    assert.equal(await send(shop, '01012345678', '[Shop] 발신번호 안내'), 'A000')
  })

  test('are found in every step and in every field of a rich message', async () => {
    const shop = await account({ links: 'listed' })
    const flow = (text: string) => ({
      destinations: [{ to: '01012345678' }],
      messageFlow: [
        { sms: { from: '0234567890', text: 'hello' } },
        { mms: { from: '0234567890', title: 'hello', text } },
      ],
    })
    const { body } = await api.call(shop, 'POST', '/v1/send/omni', flow('see other.kr/x'))
    const [first] = (body.data as { destinations: { code: string; result: string }[] }).destinations
    assert.equal(first!.code, 'A322', first!.result)
    assert.match(first!.result, /'messageFlow\[1\]\.mms\.text'/)
  })
})
