/**
 * Sends through the API: a sender that is not registered and active for its account is refused for every
 * channel and step, including in dry runs.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, routeJob } from '../../../test/support/fixtures.ts'
import { testRoute } from '../../../test/support/routes.ts'
import { createTestServer, type Envelope, type TestAccount } from '../../../test/support/http/server.ts'
import { Issues } from '../../channels/issues.ts'
import { toRouteRequest } from '../../pipeline/scheduling/place.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import type { RouteShare } from '../../carriers/routes/shares.ts'
import { changeAccountTrust, defaultAccountTrust } from '../accounts.ts'
import { rules, switchedRules } from '../rules.ts'
import { setSwitches } from '../switches.ts'
import { changeSender } from './changes.ts'
import { registerSenders } from './register.ts'
import { checkSenderValue } from './registration.ts'
import { SenderIndex } from './sender-index.ts'
import type { SenderKind } from './sender.ts'
import { createSenders } from './senders.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const serviceAccount = JSON.stringify({ client_email: 'a@b', private_key: 'k', token_uri: 'https://t' })
const rbm = { serviceAccount, clientToken: 'token' }
const lending = { ...rbm, agentId: 'standard', agents: { 'BR.mine': 'mine' } }
await upsertRoute(database, testRoute('lending', { channels: ['rcs'], protocol: 'rbm', options: lending }))
const api = await createTestServer({ database, broker, topology })
const act = createTestAuditContext()
const proof = { kind: 'operator', reference: 'T-1', issued: null } as const
const [account, other] = [await api.account(), await api.account()]
await setSwitches(
  database,
  rules
    .filter(({ initiallyOn, code }) => initiallyOn !== undefined && (code === 'A327' || code === 'A302'))
    .map(({ id }) => id),
  true,
  act,
)

async function register(holder: TestAccount, kind: SenderKind, value: string, until?: Date): Promise<void> {
  const registration = { accountId: holder.id, kind, value, proof, validUntil: until ?? null }
  await registerSenders(database, [{ ...registration, state: 'active' }], act)
}
await register(account, 'number', '0234567890')
await register(account, 'chatbot', '15881234')
await register(account, 'brand', 'BR.mine')
await register(account, 'kakao-key', '@mine')
await register(account, 'kakao-template', 'mine')
await register(account, 'international', '+6531234567')
await register(account, 'international', 'Acme')
await register(account, 'number', '112')
await register(account, 'number', '0299999999', new Date(Date.now() - 1_000))
await register(other, 'number', '0277777777')
await register(other, 'kakao-key', '@theirs')
await api.trust.cache.refresh()

const to = '01012345678'
const call = async (path: string, body: object, from = account): Promise<Envelope> =>
  (await api.call(from, 'POST', `/v1/send/${path}`, body)).body
const sms = (from: string) => ({ from, to, text: 'hello' })
const rcs = (from: string, brandKey: string, fallback?: object) => ({
  from,
  to,
  brandKey,
  formatId: 'SS000000',
  content: { standalone: { text: 'hello' } },
  ...(fallback === undefined ? {} : { fallback }),
})
const alimtalk = (senderKey: string, templateCode: string, fallback?: object) => ({
  senderKey,
  templateCode,
  to,
  msgType: 'AT',
  text: 'hello',
  ...(fallback === undefined ? {} : { fallback }),
})
const friendtalk = (senderKey: string) => ({ senderKey, to, msgType: 'FT', text: 'hello' })
const fallback = (from: string) => ({ type: 'SMS', from, text: 'hello' })

const accepted: readonly (readonly [string, object])[] = [
  ['sms', sms('0234567890')],
  ['sms', sms('112')],
  ['mms', sms('0234567890')],
  ['international', { ...sms('0234567890'), to: '+6591234567' }],
  ['international', { ...sms('+6531234567'), to: '+6591234567' }],
  ['international', { ...sms('Acme'), to: '+6591234567' }],
  ['rcs', rcs('15881234', 'BR.mine', fallback('0234567890'))],
  // The registration of a number is enough for the RCS message and its fallback.
  ['rcs', rcs('0234567890', 'BR.mine', { type: 'SMS', text: 'x' })],
  ['alimtalk', alimtalk('@mine', 'mine', fallback('0234567890'))],
  ['friendtalk', friendtalk('@mine')],
]

const refused: readonly (readonly [string, object, string, RegExp])[] = [
  ['sms', sms('0277777777'), 'from', /not registered/],
  ['sms', sms('15881234'), 'from', /not registered/],
  ['sms', sms('0299999999'), 'from', /has expired/],
  ['mms', sms('0277777777'), 'from', /not registered/],
  ['international', { ...sms('0277777777'), to: '+6591234567' }, 'from', /not registered/],
  ['international', { ...sms('+6531234560'), to: '+6591234567' }, 'from', /not registered/],
  ['international', { ...sms('ACME'), to: '+6591234567' }, 'from', /not registered/],
  ['rcs', rcs('0277777777', 'BR.mine'), 'from', /not registered .* register it as a number/],
  ['rcs', rcs('0277777777', 'BR.mine', { type: 'SMS', text: 'x' }), 'from', /register it as a number/],
  ['rcs', rcs('15881234', 'BR.theirs'), 'brandKey', /not registered/],
  ['rcs', rcs('15881234', 'BR.mine', fallback('0277777777')), 'fallback.from', /not registered/],
  ['rcs', rcs('15881234', 'BR.mine', { type: 'SMS', text: 'x' }), 'from', /register it as a number/],
  ['alimtalk', alimtalk('@theirs', 'mine'), 'senderKey', /not registered/],
  ['alimtalk', alimtalk('@mine', 'theirs'), 'templateCode', /not registered/],
  ['alimtalk', alimtalk('@mine', 'mine', fallback('0277777777')), 'fallback.from', /not registered/],
  ['friendtalk', friendtalk('@theirs'), 'senderKey', /not registered/],
]

suite('at accept', () => {
  for (const [path, body] of accepted)
    test(`${path} from a sender of the account is accepted: ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const { code, result } = await call(path, body)
      assert.equal(code, 'A000', result)
    })

  for (const [path, body, field, reason] of refused)
    test(`${path} is refused because of ${field}, also in a dry run: ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const { code, result } = await call(path, body)
      assert.equal(code, 'A327', result)
      assert.ok(result.startsWith(`Invalid or empty '${field}': `), result)
      assert.match(result, reason)
      assert.doesNotMatch(result, /\d{5}/, 'no number in an error')
      const dry = await call(`${path}?dryRun=true`, body)
      assert.equal(dry.code, 'A327', dry.result)
    })

  test('a flow is refused for the step whose sender is not registered, by its path', async () => {
    const body = await call('omni', {
      destinations: [{ to }],
      messageFlow: [{ sms: { from: '0234567890', text: 'x' } }, { sms: { from: '0277777777', text: 'x' } }],
    })
    const [first] = (body.data as { destinations: { code: string; result: string }[] }).destinations
    assert.equal(first!.code, 'A327')
    assert.match(first!.result, /messageFlow\[1\]\.sms\.from/)
  })

  test('an unregistered number that is malformed, premium or special gets A302', async () => {
    for (const from of ['01012345678', '07012345678', '0601234567', '1335'])
      assert.equal((await call('sms', sms(from))).code, 'A302', from)
  })

  test('sender-number-shape: a malformed number gets A302, and A327 while the rule is off', async () => {
    const form = /does not exist in the Korean numbering plan|premium/
    for (const from of ['01012345678', '07012345678', '0381234567', '0601234567']) {
      const sent = await call('sms', sms(from))
      assert.equal(sent.code, 'A302', from)
      assert.match(sent.result, form)
      const { destinations } = (await call('sms?dryRun=true', sms(from))).data as {
        destinations: { problems: { code: string; field: string }[] }[]
      }
      assert.deepEqual(
        destinations[0]!.problems.map(({ code, field }) => [code, field]),
        [['A302', 'from']],
      )
    }
    await setSwitches(database, ['sender-number-shape'], false, act)
    await api.trust.cache.refresh()
    const { code } = await call('sms', sms('07012345678'))
    await setSwitches(database, ['sender-number-shape'], true, act)
    await api.trust.cache.refresh()
    assert.equal(code, 'A327')
  })

  test('a number that is registered only as a chatbot is checked as the sender of the fallback', async () => {
    await register(account, 'chatbot', '0601234567')
    await setSwitches(database, ['sender-number-registered'], false, act)
    await api.trust.cache.refresh()
    const { code, result } = await call('rcs', rcs('0601234567', 'BR.mine', { type: 'SMS', text: 'x' }))
    await setSwitches(database, ['sender-number-registered'], true, act)
    await api.trust.cache.refresh()
    assert.equal(code, 'A302', result)
    assert.match(result, /'from'.*premium/)
  })

  test('each state has its own text, and a block takes effect at the next refresh', async () => {
    const key = { accountId: account.id, kind: 'number', value: '0255555555' } as const
    await registerSenders(database, [{ ...key, state: 'pending', proof, validUntil: null }], act)
    for (const [to, code, words] of [
      [null, 'A327', /not approved yet/],
      ['active', 'A000', /Success/],
      ['blocked', 'A323', /is blocked/],
      ['rejected', 'A327', /was rejected/],
    ] as const) {
      if (to !== null) await changeSender(database, key, { act, to, today: '2026-11-16' })
      await api.trust.cache.refresh()
      const body = await call('sms', sms(key.value))
      assert.equal(body.code, code)
      assert.match(body.result, words)
    }
  })
})

suite('a block', () => {
  test('applies while the rule is disabled, to every kind and to sandbox accounts', async () => {
    const third = await api.account()
    const key = { accountId: third.id, kind: 'number', value: '0266666666' } as const
    await register(third, 'chatbot', key.value)
    await setSwitches(database, ['sender-number-registered', 'international-sender-registered'], false, act)
    await api.trust.cache.refresh()
    const abroad = { ...sms(key.value), to: '+4915112345678' }
    assert.equal((await call('sms', sms(key.value), third)).code, 'A000')
    assert.equal((await call('international', abroad, third)).code, 'A000')
    await changeSender(database, key, { act, to: 'blocked', today: '2026-11-16' })
    await api.trust.cache.refresh()
    for (const body of [
      await call('sms', sms(key.value), third),
      await call('international', abroad, third),
    ]) {
      assert.equal(body.code, 'A323')
      assert.match(body.result, /is blocked/)
    }
    const steps = [{ channel: 'sms', from: key.value, text: 'x' }] as const
    const route = { protocol: 'sandbox' } as RouteShare
    const job = routeJob(acceptedJob({ accountId: third.id, steps }))
    assert.equal(api.trust.checkSubmission(job, route)?.rule, 'sender-not-blocked')
    await changeAccountTrust(database, third.id, { sandbox: true })
    await setSwitches(database, ['sender-number-registered', 'international-sender-registered'], true, act)
    await api.trust.cache.refresh()
    assert.equal(api.trust.checkSubmission(job, route)?.rule, 'sender-not-blocked')
    assert.equal((await call('sms', sms(key.value))).code, 'A327', 'of another account: not registered')
  })
})

test('a message without a brand is not sent under a shared brand', () => {
  const routeWith = (options: object): RouteShare =>
    ({ protocol: 'rbm', options: { ...rbm, ...options } }) as unknown as RouteShare
  const jobWith = (brand: object) =>
    routeJob(
      acceptedJob({
        accountId: account.id,
        steps: [{ channel: 'rcs', content: { from: '15881234', formatId: 'SS000000', ...brand } }],
      }),
    )
  const shared = routeWith(lending)
  assert.equal(api.trust.checkSubmission(jobWith({}), shared)?.rule, 'rcs-brand-registered')
  assert.equal(api.trust.checkSubmission(jobWith({ brandKey: 'BR.mine' }), shared), null)
  assert.equal(
    api.trust.checkSubmission(jobWith({}), routeWith({ agentId: 'own' })),
    null,
    'a route of one brand',
  )
  const isRouteAllowed = (brand: object, route: RouteShare): boolean =>
    api.trust.isRouteAllowed(toRouteRequest(jobWith(brand)), route)
  assert.equal(isRouteAllowed({}, shared), false)
  assert.equal(isRouteAllowed({ brandKey: 'BR.mine' }, shared), true)
  assert.equal(isRouteAllowed({}, routeWith({ agentId: 'own' })), true)
})

test('a dry run reports no route for a message without a brand', async () => {
  const hasRoute = async (brand: object): Promise<unknown> => {
    const content = { standalone: { text: 'hello' } }
    const step = { rcs: { from: '15881234', formatId: 'SS000000', content, ...brand } }
    const body = { destinations: [{ to }], messageFlow: [step] }
    const { code, data } = (await call('omni?dryRun=true', body)) as Envelope & {
      data: { destinations: { steps: { hasRoute: boolean }[] }[] }
    }
    assert.equal(code, 'A000')
    return data.destinations[0]!.steps[0]!.hasRoute
  }
  assert.equal(await hasRoute({ brandKey: 'BR.mine' }), true)
  assert.equal(await hasRoute({}), false)
})

test('a number of a kind that the installation allows is registered and sends', () => {
  const index = new SenderIndex()
  const value = '05012345678'
  const checkWith = (senderKinds: string[]): string[] => {
    const issues = new Issues('all')
    createSenders({ senderKinds }, index).checkDraft!(
      { accountId: 1, account: defaultAccountTrust, rules: new Set(switchedRules), now: 0 },
      { draft: { to, steps: [{ channel: 'sms', from: value, text: 'x' }] }, getPath: () => '', issues },
    )
    return issues.all.map(({ code }) => code)
  }
  assert.deepEqual(checkWith([]), ['A302'])
  assert.deepEqual(checkWith(['forwarding']), ['A327'])
  checkSenderValue('number', value, ['forwarding'])
  const since = { validUntil: null, createdAt: new Date(0) }
  const active = { accountId: 1, kind: 'number', value, state: 'active', ...since } as const
  index.apply({ version: '1', senders: [active] })
  assert.deepEqual(checkWith(['forwarding']), [])
})

suite('exemptions', () => {
  test('a sandbox account sends from any sender', async () => {
    const sandbox = await api.account()
    assert.equal((await call('sms', sms('0277777777'), sandbox)).code, 'A327')
    await changeAccountTrust(database, sandbox.id, { sandbox: true })
    await api.trust.cache.refresh()
    assert.equal((await call('sms', sms('0277777777'), sandbox)).code, 'A000')
    const request = { accountId: sandbox.id, channel: 'sms', to, msgKey: '' } as const
    const route = (protocol: string) => ({ protocol }) as Parameters<typeof api.trust.isRouteAllowed>[1]
    assert.equal(api.trust.isRouteAllowed(request, route('sandbox')), true)
    assert.equal(api.trust.isRouteAllowed(request, route('smpp')), false)
    assert.equal(api.trust.isRouteAllowed({ ...request, accountId: account.id }, route('smpp')), true)
  })

  test('every account sends from any sender while the rule is disabled', async () => {
    await setSwitches(database, ['sender-number-registered'], false, act)
    await api.trust.cache.refresh()
    assert.equal((await call('sms', sms('0277777777'))).code, 'A000')
    await setSwitches(database, ['sender-number-registered'], true, act)
    await api.trust.cache.refresh()
    assert.equal((await call('sms', sms('0277777777'))).code, 'A327')
  })
})
