import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, routeJob } from '../../../test/support/fixtures.ts'
import { createTestServer, type Envelope } from '../../../test/support/http/server.ts'
import type { Step } from '../../channels/channel.ts'
import type { RouteShare } from '../../carriers/routes/shares.ts'
import { rules as allRules } from '../rules.ts'
import { setSwitches } from '../switches.ts'
import { changeAccountAdvertising } from './accounts.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const api = await createTestServer({ database, broker, topology })
const auditContext = createTestAuditContext()
const rules = allRules.filter(({ code }) => code === 'A340').map(({ id }) => id)
const always = [
  ...(['advertisement-mark', 'advertisement-opt-out', 'rcs-advertisement-header'] as const),
  'kakao-advertisement-flag',
] as const
const [account, strict, advertiser] = [await api.account(), await api.account(), await api.account()]
await setSwitches(database, [...always, 'alimtalk-not-advertisement'], true, auditContext)
await changeAccountAdvertising(database, strict.id, { names: ['Shop'], optOutNumbers: ['0801234567'] })
await changeAccountAdvertising(database, advertiser.id, { advertiser: true })
await api.trust.cache.refresh()

const to = '01012345678'
const from = '0234567890'
const call = async (path: string, body: object, as = account): Promise<Envelope> =>
  (await api.call(as, 'POST', `/v1/send/${path}`, body)).body
const sms = (text: string, sender = from) => ({ from: sender, to, text })
const footer = '\n무료수신거부 080-123-4567'

suite('SMS and MMS', () => {
  for (const [description, text, sender] of [
    ['an ordinary text', 'hello'],
    ['a complete advertisement', `(광고)Shop half price${footer}`],
    ['the short words, without spaces', '(광고)Shop half price\n무료거부0801234567'],
    ['brackets and a line break at the end', '(광고) Shop\n[무료 거부](080)123-4567\n'],
    ['a sender that is the number itself', '(광고)Shop half price', '0801234567'],
    ['a text about advertisements', 'ask for our (광고) offers'],
  ] as const)
    test(`${description} is accepted`, async () => {
      const body = await call('sms', sms(text, sender))
      assert.equal(body.code, 'A000', body.result)
    })

  for (const [description, text, words] of [
    ['a form that hides the mark', `[광고]Shop${footer}`, /must begin with \(광고\)/],
    ['words in brackets before the mark', `[Web발신]\n(광고)Shop${footer}`, /must begin with \(광고\)/],
    ['a symbol before the mark', `★(광고)Shop${footer}`, /must begin with \(광고\)/],
    ['a blank before the mark', ` (광고)Shop${footer}`, /must begin with \(광고\)/],
    ['no opt-out', '(광고)Shop half price', /무료수신거부/],
    ['an opt-out that is not in the last line', `(광고)Shop${footer}\nhurry`, /last line/],
    ['a number that is not free', '(광고)Shop\n무료수신거부 02-345-6789', /080/],
  ] as const)
    test(`${description} is A340, also in a dry run`, async () => {
      for (const path of ['sms', 'sms?dryRun=true']) {
        const body = await call(path, sms(text))
        assert.equal(body.code, 'A340', body.result)
        assert.match(body.result, words)
      }
    })

  test('a mark only in the title is not enough, and an error of a fallback has its path', async () => {
    const mms = await call('mms', { ...sms(`Shop${footer}`), title: '(광고) sale' })
    assert.equal(mms.code, 'A340')
    const flow = await call('omni', {
      destinations: [{ to }],
      messageFlow: [{ sms: { from, text: 'x' } }, { sms: { from, text: '(광고)Shop' } }],
    })
    const [first] = (flow.data as { destinations: { code: string; result: string }[] }).destinations
    assert.equal(first!.code, 'A340')
    assert.match(first!.result, /messageFlow\[1\]\.sms\.text/)
  })

  test('every text of an advertiser is an advertisement', async () => {
    assert.equal((await call('sms', sms('hello'), advertiser)).code, 'A340')
    assert.equal((await call('sms', sms(`(광고)Shop${footer}`), advertiser)).code, 'A000')
  })
})

suite('other channels', () => {
  const rcs = (text: string, more: object = {}) => ({
    from: '15881234',
    to,
    brandKey: 'b',
    formatId: 'SS000000',
    content: { standalone: { text } },
    ...more,
  })
  test('an RCS advertisement has a header, not the mark', async () => {
    for (const mark of ['(광고)', '[광고]', '(광 고)', '（광고）', 'see (광고)'])
      assert.equal((await call('rcs', rcs(`${mark}Shop`))).code, 'A340', mark)
    const body = await call('rcs', rcs('Shop', { header: '1', footer: '080-123-4567' }))
    assert.equal(body.code, 'A000', body.result)
  })

  test('a friendtalk with the mark has adFlag Y', async () => {
    const send = async (adFlag: string): Promise<{ code: string; result: string }> => {
      const friendtalk = { senderKey: '@a', msgType: 'FT', text: '(광고) sale', adFlag }
      const body = await call('omni', { destinations: [{ to }], messageFlow: [{ friendtalk }] })
      return (body.data as { destinations: { code: string; result: string }[] }).destinations[0]!
    }
    const { code, result } = await send('N')
    assert.equal(code, 'A340', result)
    assert.match(result, /'messageFlow\[0\]\.friendtalk\.adFlag': .*set adFlag to Y/)
    assert.equal((await send('Y')).code, 'A000')
  })

  test('an alimtalk with the mark is refused', async () => {
    const alimtalk = { senderKey: '@a', templateCode: 't', to, msgType: 'AT' }
    assert.equal((await call('alimtalk', { ...alimtalk, text: '[광고] sale' })).code, 'A340')
    assert.equal((await call('alimtalk', { ...alimtalk, text: 'your order' })).code, 'A000')
  })
})

test('only registered names and numbers are accepted', async () => {
  await setSwitches(database, rules, true, auditContext)
  await api.trust.cache.refresh()
  assert.equal((await call('sms', sms(`(광고)[Shop] half price${footer}`), strict)).code, 'A000')
  assert.match((await call('sms', sms(`(광고)Other${footer}`), strict)).result, /registered for the account/)
  assert.match((await call('sms', sms(`(광고)Shop${footer}`))).result, /has no registered name/)
  const other = await call('sms', sms('(광고)Shop\n무료거부 080-999-9999'), strict)
  assert.match(other.result, /free opt-out number is not registered/)
})

suite('a dry run with all rules on', () => {
  const reasonsOf = async (path: string, body: object, as = advertiser): Promise<string[]> => {
    const response = await call(`${path}?dryRun=true`, body, as)
    const { destinations } = response.data as {
      destinations: { problems: { code: string; field: string; reason: string }[] }[]
    }
    return destinations.flatMap(({ problems }) =>
      problems.map(({ code, field, reason }) => `${code} ${field}: ${reason.slice(0, 40)}`),
    )
  }
  const marked = 'A340 text: an advertisement must begin with (광고) in'
  const unnamed = 'A340 text: after (광고) an advertisement must name it'
  const noOptOut = 'A340 text: the last line of an advertisement must b'
  const notRegistered = 'A340 text: the free opt-out number is not registere'

  test('names every missing part; a send returns the first', async () => {
    await changeAccountAdvertising(database, advertiser.id, { names: ['Shop'] })
    await api.trust.cache.refresh()
    // A text without an opt-out number gets no error about a registered one.
    assert.deepEqual(await reasonsOf('sms', sms('half price')), [marked, unnamed, noOptOut])
    assert.deepEqual(await reasonsOf('sms', sms(`half price${footer}`)), [marked, unnamed, notRegistered])
    const sent = await call('sms', sms('half price'), advertiser)
    assert.equal(sent.code, 'A340')
    assert.match(sent.result, /'text': an advertisement must begin with/)
  })

  test('omits a part that is wrong only because of another part', async () => {
    for (const mark of ['[광고]', '★(광고)', '[Web발신]\n(광고)'])
      assert.deepEqual(await reasonsOf('sms', sms(`${mark}Shop${footer}`), strict), [marked], mark)
    assert.deepEqual(await reasonsOf('sms', sms(`[광고]Other${footer}`), strict), [marked, unnamed])
  })

  test('names every step, and the footer of RCS', async () => {
    const rcs = { from: '15881234', to, brandKey: 'b', formatId: 'SS000000' }
    const content = { standalone: { text: '(광고)Shop' } }
    const mark = 'A340 content: (광고) is not allowed in an RCS text; set '
    assert.deepEqual(await reasonsOf('rcs', { ...rcs, content }, strict), [mark])
    const other = { ...rcs, content, header: '1', footer: '080-999-9999' }
    assert.deepEqual(await reasonsOf('rcs', other, strict), [mark, notRegistered.replace('text', 'footer')])
    const flow = {
      destinations: [{ to }],
      messageFlow: [{ sms: { from, text: '(광고)Shop' } }, { sms: { from, text: '(광고)Other' } }],
    }
    assert.deepEqual(await reasonsOf('omni', flow, strict), [
      noOptOut.replace('text', 'messageFlow[0].sms.text'),
      unnamed.replace('text', 'messageFlow[1].sms.text'),
      noOptOut.replace('text', 'messageFlow[1].sms.text'),
    ])
  })
})

suite('before a submission', () => {
  const route = { protocol: 'sandbox' } as RouteShare
  const check = (step: Step, accountId: number) => {
    // The message was accepted before the data was read.
    const job = routeJob(acceptedJob({ accountId, to, steps: [step], acceptedAt: Date.now() - 10_000 }))
    const denial = api.trust.checkSubmission(job, route)
    return denial === null ? null : [denial.rule, denial.verdict === 'fail' ? denial.cause : denial.verdict]
  }
  const text = `(광고)Shop half price${footer}`
  const ads: readonly Step[] = [
    { channel: 'sms', from, text },
    { channel: 'mms', content: { from, text } },
    { channel: 'rcs', content: { header: '1', footer: '080-123-4567' } },
  ]
  const change = async (settings: Parameters<typeof changeAccountAdvertising>[2]): Promise<void> => {
    await changeAccountAdvertising(database, strict.id, settings)
    await api.trust.cache.refresh()
  }

  test('an advertisement whose opt-out number was removed in the meantime is not sent', async () => {
    assert.deepEqual(
      ads.map((step) => check(step, strict.id)),
      [null, null, null],
    )
    await change({ optOutNumbers: ['0809999999'] })
    const denied = ['advertisement-opt-out-registered', 'advertisement-form']
    assert.deepEqual(
      ads.map((step) => check(step, strict.id)),
      [denied, denied, denied],
    )
    assert.equal(check({ channel: 'sms', from, text: 'hello' }, strict.id), null)
    await change({ optOutNumbers: ['0801234567'] })
  })

  test('an advertisement whose sender name was removed is not sent; RCS has a brand instead', async () => {
    await change({ names: ['Other'] })
    const denied = ['advertisement-sender-name', 'advertisement-form']
    assert.deepEqual(
      ads.map((step) => check(step, strict.id)),
      [denied, denied, null],
    )
    await change({ names: ['Shop'] })
  })

  test('advertisements without a registered name or number are sent while the rules are off', async () => {
    await change({ names: [], optOutNumbers: [] })
    const switched = ['advertisement-sender-name', 'advertisement-opt-out-registered'] as const
    await setSwitches(database, switched, false, auditContext)
    await api.trust.cache.refresh()
    assert.deepEqual(
      ads.map((step) => check(step, strict.id)),
      [null, null, null],
    )
    await setSwitches(database, switched, true, auditContext)
  })
})
