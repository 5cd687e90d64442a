import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, routeJob } from '../../../test/support/fixtures.ts'
import { createTestServer, type Envelope, type TestAccount } from '../../../test/support/http/server.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import type { RouteShare } from '../../carriers/routes/shares.ts'
import { changeAccountAdvertising } from '../advertising/accounts.ts'
import type { RuleDecision } from '../rule-group.ts'
import { setSwitches } from '../switches.ts'
import { setChoices, type ChoiceChange } from './store.ts'
import { createKeywordReader, allAccountsId } from './choice.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const api = await createTestServer({ database, broker, topology })
const [account, other] = [await api.account(), await api.account()]
const blindIndex = await openEncryption({}).blindIndex(database)

const from = '0234567890'
const ad = '(광고)Shop\n무료거부 080-123-4567'
const send = async (to: string, text = ad, as = account, more = ''): Promise<Envelope> => {
  await api.trust.cache.refresh()
  return (await api.call(as, 'POST', `/v1/send/sms${more}`, { from, to, text })).body
}
const call = async (path: '' | '/search' | '/remove', body: object): Promise<Envelope> =>
  (await api.call(account, 'POST', `/v1/suppression${path}`, body)).body
const set = (accountId: number, to: string, change: Partial<ChoiceChange>): Promise<unknown> =>
  setChoices(database, blindIndex, accountId, [to], {
    state: 'suppressed',
    source: 'operator',
    reason: 'test',
    ...change,
  })
async function check(as: TestAccount, to: string, text: string, now?: number): Promise<RuleDecision | null> {
  await api.trust.cache.refresh()
  const steps = [{ channel: 'sms', from, text }] as const
  const job = routeJob(acceptedJob({ accountId: as.id, to, steps, acceptedAt: Date.now() - 2_000 }))
  return api.trust.checkSubmission(job, { protocol: 'sandbox' } as RouteShare, now)
}

suite('an opt-out', () => {
  const to = '01011110001'
  test('refuses only advertisements of the account, immediately and in dry runs', async () => {
    assert.equal((await send(to)).code, 'A000')
    assert.deepEqual((await call('', { to: [to, to, '+4915112345678'] })).data, {
      state: 'suppressed',
      changed: 2,
      kept: 0,
    })
    for (const more of ['', '?dryRun=true']) {
      const { code, result } = await send(to, ad, account, more)
      assert.equal(code, 'A324', result)
      assert.match(result, /opted out/)
      assert.doesNotMatch(result, /\d{6}/, 'no number in an error')
    }
    assert.equal((await send(to, 'your code is 1')).code, 'A000')
    assert.equal((await send(to, ad, other)).code, 'A000')
  })

  test('stops messages that were accepted before', async () => {
    const denial = await check(account, to, ad)
    assert.ok(denial?.verdict === 'fail' && denial.cause === 'suppressed')
    assert.equal(denial.rule, 'recipient-not-suppressed')
    assert.equal(await check(account, to, 'hello'), null)
  })

  test('can be read and removed', async () => {
    const { data } = await call('/search', { to })
    assert.deepEqual({ ...(data as object), since: '' }, { state: 'suppressed', since: '', source: 'api' })
    assert.deepEqual((await call('/remove', { to })).data, { state: 'none', changed: 1, kept: 0 })
    assert.deepEqual((await call('/remove', { to })).data, { state: 'none', changed: 0, kept: 0 })
    assert.equal((await send(to)).code, 'A000')
  })

  test('overrides the choice of an account if it is for all accounts', async () => {
    await set(allAccountsId, to, {})
    await set(account.id, to, { state: 'agreed' })
    assert.equal((await send(to)).code, 'A324')
    assert.equal((await send(to, ad, other)).code, 'A324')
    const { data } = await call('/search', { to })
    assert.deepEqual({ ...(data as object), since: '' }, { state: 'agreed', since: '', source: 'operator' })
    await set(account.id, to, { state: 'none' })
    const unknown = { state: 'none', since: null, source: null }
    assert.deepEqual((await call('/search', { to })).data, unknown, 'the list of the operator is not shown')
    assert.deepEqual((await call('/search', { to: '01099998888' })).data, unknown)
    await set(allAccountsId, to, { state: 'none' })
    assert.equal((await send(to)).code, 'A000')
  })

  test('requires that a keyword is the whole text', async () => {
    const number = '01011110002'
    for (const [keyword, state] of [
      ...([
        ['please stop it', 'unchanged'],
        [' stop. ', 'suppressed'],
        ['START', 'none'],
      ] as const),
      ...([
        ['수신 거부', 'suppressed'],
        ['Opt-Out', 'suppressed'],
        ['네', 'unchanged'],
      ] as const),
    ])
      assert.equal(
        ((await call('', { to: [number], keyword })).data as { state: string }).state,
        state,
        keyword,
      )
    assert.equal(createKeywordReader()('ＳＴＯＰ'), 'suppressed')
    const reader = createKeywordReader({ optOutWords: ['no more'] })
    assert.deepEqual(['No more!', 'STOP', 'start'].map(reader), ['suppressed', null, 'none'])
  })

  test('rejects invalid numbers and too many of them', async () => {
    assert.equal((await call('', { to: [] })).code, 'A306')
    assert.equal((await call('', { to: ['x'] })).code, 'A306')
    assert.equal((await call('', { to: Array.from({ length: 1_001 }, () => to) })).code, 'A306')
    assert.equal((await call('', { to: [to], colour: 1 })).code, 'A300')
    assert.equal((await call('', { to: [to], keyword: 'x'.repeat(201) })).code, 'A300')
    assert.equal((await call('/search', {})).code, 'A306')
    assert.equal((await call('/remove', { to, reason: 'x' })).code, 'A300')
  })

  test('is stored without the number', async () => {
    const { rows } = await database.query('select * from recipient_choices')
    assert.ok(rows.length > 0)
    assert.doesNotMatch(JSON.stringify(rows), /0101111|4915112/)
  })
})

suite('a consent', () => {
  const to = '01011110003'
  test('is required while the rule is on', async () => {
    await setSwitches(database, ['advertisement-consent'], true, createTestAuditContext())
    const { code, result } = await send(to)
    assert.equal(code, 'A324')
    assert.match(result, /has not agreed/)
    assert.equal((await check(account, to, ad))?.rule, 'advertisement-consent')
    assert.equal((await send(to, 'hello')).code, 'A000')
    await set(account.id, to, { state: 'agreed', since: new Date('2026-01-02') })
    assert.equal((await send(to)).code, 'A000')
    await setSwitches(database, ['advertisement-consent'], false, createTestAuditContext())
  })

  test('that includes the night permits an advertisement at night', async () => {
    await setSwitches(database, ['advertisement-quiet-hours'], true, createTestAuditContext())
    const night = Date.parse('2026-11-16T13:00:00Z')
    assert.equal((await check(account, to, ad, night))?.rule, 'advertisement-quiet-hours')
    await set(account.id, to, { state: 'agreed', night: true })
    assert.equal(await check(account, to, ad, night), null)
    await setSwitches(database, ['advertisement-quiet-hours'], false, createTestAuditContext())
  })
})

test('every text of an advertiser is an advertisement for opt-outs', async () => {
  const to = '01011110004'
  await changeAccountAdvertising(database, other.id, { advertiser: true })
  await set(other.id, to, {})
  assert.equal((await send(to, 'hello', other)).code, 'A324')
})
