import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, routeJob } from '../../../test/support/fixtures.ts'
import { createTestServer, type Envelope, type TestAccount } from '../../../test/support/http/server.ts'
import type { Step, TextStep } from '../../channels/channel.ts'
import type { RouteShare } from '../../carriers/routes/shares.ts'
import type { RuleDecision } from '../rule-group.ts'
import { setSwitches } from '../switches.ts'
import { createCountryWindowLookup } from './countries.ts'
import { everyAccount, everyChannel } from './choices.ts'
import { setQuietHours, type QuietHours } from './settings.ts'
import { formatMinutes, minutesUntilOpen, findOpening, timeInKorea } from './window.ts'
import { timeInZone } from './zone.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const api = await createTestServer({ database, broker, topology })
await setSwitches(
  database,
  ['advertisement-quiet-hours', 'advertisement-country-hours'],
  true,
  createTestAuditContext(),
)
const [refusing, holding, moving] = [await api.account(), await api.account(), await api.account()]
const hours = { opensAt: 480, closesAt: 1250 }
await setQuietHours(database, refusing.id, everyChannel, { ...hours, choice: 'refuse' })
await setQuietHours(database, holding.id, everyChannel, { ...hours, choice: 'hold' })
await api.trust.cache.refresh()

/** Returns this time tomorrow in Korea. */
const at = (time: string): number => {
  const day = new Date(Date.now() + 33 * 3_600_000).toISOString().slice(0, 10)
  return Date.parse(`${day}T${time}+09:00`)
}
const to = '01012345678'
const from = '0234567890'
const ad: TextStep = { channel: 'sms', from, text: '(광고)Shop\n무료거부 080-123-4567' }
const notice: TextStep = { channel: 'sms', from, text: 'hello' }
const route = { protocol: 'sandbox' } as RouteShare

function check(account: TestAccount, step: Step, now: number, ttlMs = 86_400_000): RuleDecision | null {
  const job = routeJob(acceptedJob({ accountId: account.id, to, steps: [step] }))
  return api.trust.checkSubmission({ ...job, dueAt: now + ttlMs }, route, now)
}

suite('before a submission', () => {
  test('the night begins at 20:50 and ends at 08:00, in Korea', () => {
    for (const [time, isNight] of [
      ...([
        ['20:49:59', false],
        ['20:50:00', true],
        ['21:00:00', true],
        ['23:59:59', true],
      ] as const),
      ...([
        ['00:00:00', true],
        ['07:59:59', true],
        ['08:00:00', false],
        ['12:00:00', false],
      ] as const),
    ]) {
      assert.equal(check(refusing, ad, at(time)) !== null, isNight, time)
      assert.equal(check(refusing, notice, at(time)), null, time)
    }
  })

  test('a backlog that drifts into the night fails, waits for the morning, or continues with the next step', () => {
    const now = at('22:30:00')
    const failed = check(refusing, ad, now)
    assert.ok(failed?.verdict === 'fail' && failed.cause === 'night-hours')
    const held = check(holding, ad, now)
    assert.ok(held?.verdict === 'hold')
    assert.deepEqual([held.rule, held.until - now], ['advertisement-quiet-hours', 9.5 * 3_600_000])
    assert.equal(check(moving, ad, now)?.verdict, 'fail')
  })

  test('a step whose deadline ends before the morning does not wait for it', () => {
    assert.equal(check(holding, ad, at('22:30:00'), 3_600_000)?.verdict, 'fail')
    assert.equal(check(holding, ad, at('07:30:00'), 3_600_000)?.verdict, 'hold')
  })

  test('an RCS message with header 1 and a friendtalk are advertisements, an alimtalk is not', () => {
    const content = { header: '1', footer: '0801234567' }
    assert.notEqual(check(refusing, { channel: 'rcs', content }, at('22:00:00')), null)
    assert.notEqual(check(refusing, { channel: 'friendtalk', content: {} }, at('22:00:00')), null)
    assert.equal(check(refusing, { channel: 'alimtalk', content: { text: 'x' } }, at('22:00:00')), null)
    for (const step of [
      { channel: 'rcs', content: { header: '0', content: { text: '[광고] sale' } } },
      { channel: 'friendtalk', content: { adFlag: 'N', text: '(광고) sale' } },
      { channel: 'sms', from, text: '[Web발신]\n(광고) sale' },
    ] as const satisfies Step[])
      assert.notEqual(check(refusing, step, at('22:00:00')), null, JSON.stringify(step))
  })
})

suite('at accept, by the send time', () => {
  const query = (time: string): string => `sendAt=${encodeURIComponent(new Date(at(time)).toISOString())}`
  const send = async (account: TestAccount, time: string, more = ''): Promise<Envelope> =>
    (await api.call(account, 'POST', `/v1/send/sms?${query(time)}${more}`, { from, to, text: ad.text })).body
  const flow = async (account: TestAccount, time: string, texts: readonly TextStep[]): Promise<string> => {
    const { body } = await api.call(account, 'POST', `/v1/send/omni?${query(time)}`, {
      destinations: [{ to }],
      messageFlow: texts.map(({ text }) => ({ sms: { from, text } })),
    })
    return (body.data as { destinations: { code: string }[] }).destinations[0]!.code
  }

  test('the response contains the allowed hours, also in a dry run', async () => {
    const { code, result } = await send(refusing, '22:00:00')
    assert.equal(code, 'A341', result)
    assert.match(result, /from 08:00 to 20:50 \(Asia\/Seoul\)/)
    assert.equal((await send(refusing, '22:00:00', '&dryRun=true')).code, 'A341')
    assert.equal((await send(refusing, '12:00:00')).code, 'A000')
  })

  test('an advertisement that waits for the morning is accepted if its ttl allows it', async () => {
    assert.equal((await send(holding, '22:00:00')).code, 'A000')
  })

  test('a dry run notes which steps will wait and which will be skipped', async () => {
    const effectsOf = async (account: TestAccount, time: string): Promise<unknown[]> => {
      const { body } = await api.call(account, 'POST', `/v1/send/omni?${query(time)}&dryRun=true`, {
        destinations: [{ to }],
        messageFlow: [ad, ad, notice].map(({ text }) => ({ sms: { from, text } })),
      })
      assert.equal(body.code, 'A000', body.result)
      const [first] = (body.data as { destinations: { ruleEffects: Effect[] }[] }).destinations
      return first!.ruleEffects.map(({ rule, effect, step, notBefore }) => [rule, effect, step, notBefore])
    }
    interface Effect {
      readonly rule: string
      readonly effect: string
      readonly step: number | null
      readonly notBefore: string | null
    }
    const rule = 'advertisement-quiet-hours'
    const morning = new Date(at('08:00:00') + 86_400_000).toISOString()
    assert.deepEqual(await effectsOf(holding, '22:00:00'), [[rule, 'delayed', 1, morning]])
    assert.deepEqual(await effectsOf(moving, '22:00:00'), [
      [rule, 'skipped', 1, null],
      [rule, 'skipped', 2, null],
    ])
    assert.deepEqual(await effectsOf(holding, '12:00:00'), [])
  })

  test('an account without settings moves on to a step that is no advertisement', async () => {
    assert.equal(await flow(moving, '22:00:00', [ad, notice]), 'A000')
    assert.equal(await flow(moving, '22:00:00', [ad, ad]), 'A341')
    assert.equal(await flow(refusing, '22:00:00', [ad, notice]), 'A341')
    assert.equal(await flow(refusing, '22:00:00', [notice, ad]), 'A000', 'checked again when its turn comes')
  })

  test('a friendtalk at night is accepted if it or its fallback is no advertisement', async () => {
    const friendtalk = { senderKey: 'key', msgType: 'FT', to, text: 'The autumn collection is here.' }
    const sendAt = query('22:00:00')
    const fallback = { type: 'SMS', from, text: 'hello' }
    const alone = await api.call(moving, 'POST', `/v1/send/friendtalk?${sendAt}`, friendtalk)
    assert.deepEqual([alone.status, alone.body.code], [400, 'A341'])
    assert.match(alone.body.result, /fallback/)
    const body = { ...friendtalk, fallback }
    assert.equal((await api.call(moving, 'POST', `/v1/send/friendtalk?${sendAt}`, body)).body.code, 'A000')
    const unmarked = { ...friendtalk, adFlag: 'N' }
    assert.equal(
      (await api.call(moving, 'POST', `/v1/send/friendtalk?${sendAt}`, unmarked)).body.code,
      'A000',
    )
  })
})

suite('other hours', () => {
  test('a channel precedes all channels, and an account precedes all accounts', async () => {
    const longer: QuietHours = { opensAt: 600, closesAt: 1080, choice: 'refuse' }
    await setQuietHours(database, everyAccount, everyChannel, longer)
    await setQuietHours(database, moving.id, 'rcs', { ...hours, choice: 'hold' })
    await api.trust.cache.refresh()
    assert.notEqual(check(moving, ad, at('09:00:00')), null)
    assert.equal(check(holding, ad, at('09:00:00')), null)
    assert.equal(check(moving, { channel: 'rcs', content: { header: '1' } }, at('22:00:00'))?.verdict, 'hold')
    await setQuietHours(database, everyAccount, everyChannel, null)
    await api.trust.cache.refresh()
    assert.equal(check(moving, ad, at('09:00:00')), null)
  })

  test('the hours of the recipient country apply abroad, and Vietnam allows none', () => {
    const abroad: Step = { channel: 'international', from, text: '(광고) sale' }
    const checkAbroad = (number: string, now: number): RuleDecision | null => {
      const job = routeJob(acceptedJob({ accountId: holding.id, to: number, steps: [abroad] }))
      return api.trust.checkSubmission({ ...job, dueAt: now + 7 * 86_400_000 }, route, now)
    }
    // A Sunday in Paris, in summer time.
    const sunday = Date.parse('2026-07-05T10:00:00Z')
    const held = checkAbroad('+33612345678', sunday)
    assert.ok(held?.verdict === 'hold')
    assert.equal(new Date(held.until).toISOString(), '2026-07-06T06:00:00.000Z')
    assert.equal(checkAbroad('+33612345678', sunday + 86_400_000), null)
    assert.equal(checkAbroad('+84912345678', sunday)?.verdict, 'fail')
    assert.equal(checkAbroad('+4915112345678', sunday), null, 'a country without known hours')
  })

  test('configured hours replace the known ones, and invalid ones are rejected at the start', () => {
    const windowOf = createCountryWindowLookup(['DE=08:00-20:30 Europe/Berlin', 'FR=none'])
    assert.deepEqual(windowOf('+4915112345678')?.window, { opensAt: 480, closesAt: 1230 })
    assert.equal(windowOf('+33612345678')?.window, null)
    assert.equal(windowOf('+966512345678')?.country, 'SA')
    for (const wrong of [
      'DE=20:00-08:00 Europe/Berlin',
      'DE=08:00-20:00 Nowhere',
      'DE=08:00-25:00 UTC',
      'DE',
    ])
      assert.throws(() => createCountryWindowLookup([wrong]), /POSTERN_COUNTRY_HOURS/)
  })

  test('minutes and days are counted over midnight and over closed days', () => {
    const window = { opensAt: 480, closesAt: 1250, closedOn: [0] }
    assert.equal(minutesUntilOpen({ minutes: 1300, day: 6 }, window), 2 * 1440 + 480 - 1300)
    assert.equal(
      minutesUntilOpen({ minutes: 1, day: 1 }, { ...window, closedOn: [0, 1, 2, 3, 4, 5, 6] }),
      Infinity,
    )
    const now = Date.parse('2026-11-16T12:00:30Z')
    assert.deepEqual(timeInKorea(now), { minutes: 21 * 60, day: 1 })
    assert.deepEqual(timeInZone(now, 'Asia/Seoul'), timeInKorea(now))
    assert.equal(findOpening(now, timeInKorea(now), window), Date.parse('2026-11-16T23:00:00Z'))
    assert.equal(formatMinutes(1250), '20:50')
  })
})
