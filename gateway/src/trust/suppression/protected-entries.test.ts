import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createTestServer, type Envelope, type TestAccount } from '../../../test/support/http/server.ts'
import { assertWithin } from '../../../test/support/wait.ts'
import type { Transactional } from '../../platform/database/database.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { choiceLimits } from './plan-change.ts'
import {
  setChoices,
  type ChangeResult,
  type ChoiceChange,
  toRecipientKey,
  setCarrierChoices,
  findChoice,
  readChoiceHistory,
  deleteOldChoices,
  removedRetentionMs,
} from './store.ts'

const { database } = await createTestDatabase()
const { broker, topology } = await createTestBroker()
const api = await createTestServer({ database, broker, topology })
const [account, other, third] = [await api.account(), await api.account(), await api.account()]
const blindIndex = await openEncryption({}).blindIndex(database)

const call = async (as: TestAccount, path: '' | '/search' | '/remove', body: object): Promise<Envelope> =>
  (await api.call(as, 'POST', `/v1/suppression${path}`, body)).body
const stateOf = async (to: string, as = account): Promise<string> =>
  ((await call(as, '/search', { to })).data as { state: string }).state
const enter = (
  as: TestAccount,
  to: readonly string[],
  change: Partial<ChoiceChange>,
  limits = {},
): Promise<ChangeResult> =>
  setChoices(
    ...([database, blindIndex, as.id, to] as const),
    { state: 'suppressed', source: 'operator', reason: 'complaint', ...change },
    { ...choiceLimits, ...limits },
  )
const numbers = (count: number, from = 20_000_000): string[] =>
  Array.from({ length: count }, (_, n) => `010${from + n}`)
const countRows = async (): Promise<number> =>
  (await database.query<{ n: number }>('select count(*) as n from recipient_choices')).rows[0]!.n

test('removing a missing entry stores nothing', async () => {
  const { data } = await call(account, '', { to: numbers(1_000), keyword: 'START' })
  assert.deepEqual(data, { state: 'none', changed: 0, kept: 0 })
  assert.equal(await countRows(), 0)
})

suite('an entry of an operator', () => {
  const to = '01033330001'
  test('cannot be removed by the account, whoever suppressed the recipient first', async () => {
    await call(account, '', { to: [to] })
    assert.equal((await enter(account, [to], {})).changed, 1)
    assert.deepEqual((await call(account, '/remove', { to })).data, { state: 'none', changed: 0, kept: 1 })
    await call(account, '', { to: [to], keyword: 'START' })
    await call(account, '', { to: [to], reason: 'ours' })
    const found = await findChoice(database, toRecipientKey(blindIndex, account.id, to), account.id)
    assert.deepEqual([found?.state, found?.source, found?.reason], ['suppressed', 'operator', 'complaint'])
  })

  test('can be removed by an operator, and the history shows it', async () => {
    await enter(account, [to], { state: 'none', reason: 'mistake' })
    assert.equal(await stateOf(to), 'none')
    const history = await readChoiceHistory(database, toRecipientKey(blindIndex, account.id, to), account.id)
    assert.deepEqual(
      history.map(({ state, source, reason }) => [state, source, reason]),
      [
        ['suppressed', 'operator', 'complaint'],
        ['suppressed', 'api', ''],
      ],
    )
  })

  test('a consent survives START, and ends with STOP', async () => {
    const agreed = '01033330002'
    await enter(account, [agreed], { state: 'agreed' })
    await call(account, '', { to: [agreed], keyword: 'START' })
    await call(account, '/remove', { to: agreed })
    assert.equal(await stateOf(agreed), 'agreed')
    await call(account, '', { to: [agreed], keyword: 'STOP' })
    assert.equal(await stateOf(agreed), 'suppressed')
  })
})

suite('a choice at a carrier', () => {
  const to = '01033330003'
  test('cannot be removed by the account, whoever suppressed the recipient first', async () => {
    await call(account, '', { to: [to] })
    for (const source of ['reply', 'carrier'] as const) {
      await enter(account, [to], { source })
      assert.equal(((await call(account, '/remove', { to })).data as { kept: number }).kept, 1)
      const start = await call(account, '', { to: [to], keyword: 'START' })
      assert.deepEqual(start.data, { state: 'none', changed: 0, kept: 1 })
      assert.equal(await stateOf(to), 'suppressed')
      await enter(account, [to], { state: 'none', source })
      assert.equal(await stateOf(to), 'none')
    }
  })

  test('overrides a later consent and a later change of the client', async () => {
    const [agreed, removed, entered] = ['01033330004', '01033330005', '01033330006']
    const late = { source: 'reply', since: new Date(Date.now() - 60_000), onlyOlder: true } as const
    await enter(account, [agreed], { state: 'agreed', since: new Date(Date.now() + 86_400_000) })
    await call(account, '', { to: [removed, entered] })
    await call(account, '/remove', { to: removed })
    assert.equal((await enter(account, [agreed, removed, entered], late)).changed, 3)
    await call(account, '', { to: ['01033330007'] })
    assert.equal((await enter(account, ['01033330007'], { ...late, state: 'none' })).changed, 0)
  })
})

suite('a full list', () => {
  const full = { agreed: 3, suppressed: 3 }
  test('refuses only new entries: existing ones can be suppressed', async () => {
    const agreed = numbers(3, 30_000_000)
    await enter(other, agreed, { state: 'agreed' }, full)
    const more = { state: 'agreed', source: 'operator' } as const
    assert.deepEqual(await enter(other, numbers(1, 31_000_000), more, full), {
      changed: 0,
      kept: 0,
      refused: 1,
      limit: 'account',
    })
    await enter(other, numbers(3, 32_000_000), { source: 'api' }, full)
    const mixed = [...agreed, ...numbers(2, 33_000_000)]
    assert.deepEqual(await enter(other, mixed, { source: 'api' }, full), {
      changed: 3,
      kept: 0,
      refused: 2,
      limit: 'account',
    })
    assert.equal(await stateOf(agreed[0]!, other), 'suppressed')
  })

  test('never refuses entries of a carrier or an operator', async () => {
    const none = { suppressed: 0, all: 0, reserved: 0 }
    for (const [n, source] of (['carrier', 'operator', 'api'] as const).entries()) {
      const { changed } = await enter(other, numbers(1, 35_000_000 + n), { source }, none)
      assert.equal(changed, source === 'api' ? 0 : 1, source)
    }
  })

  test('filled by other accounts refuses no account below an equal part', async () => {
    const { rows } = await database.query<{ entries: number; accounts: number }>(
      `select sum(suppressed + agreed)::integer as entries, count(*)::integer as accounts from suppression_counts
        where suppressed + agreed > 0`,
    )
    const { entries, accounts } = rows[0]!
    const limits = { all: entries, reserved: 0 }
    const fourth = await api.account()
    const equalPart = Math.floor(entries / (accounts + 1))
    await enter(fourth, numbers(1, 36_000_000), {})
    assert.deepEqual(await enter(fourth, numbers(equalPart + 1, 36_000_000), { source: 'api' }, limits), {
      changed: equalPart - 1,
      kept: 0,
      refused: 1,
      limit: 'installation',
    })
  })

  test('over all accounts leaves each account a reserve', async () => {
    const limits = { all: 5, reserved: 2 }
    const result = await enter(third, numbers(4, 34_000_000), { source: 'api' }, limits)
    assert.deepEqual(result, { changed: 2, kept: 0, refused: 2, limit: 'installation' })
  })

  test('refuses further removals, not opt-outs, at the removal limit', async () => {
    const to = numbers(3, 34_000_000).slice(0, 2)
    const limits = { removalsPerDay: 1 }
    const removal = { state: 'none', source: 'keyword' } as const
    assert.deepEqual(await enter(third, to, removal, limits), {
      changed: 1,
      kept: 0,
      refused: 1,
      limit: 'removals',
    })
    assert.equal((await enter(third, to, { source: 'api' }, limits)).changed, 1)
    assert.equal((await enter(third, to, { state: 'none' }, limits)).changed, 2)
  })
})

test('removals by recipients do not count, but are limited per day', async () => {
  const as = await api.account()
  const [to, ofClient] = numbers(2, 37_000_000) as [string, string]
  const limits = { removalsPerDay: 1, optInsPerDay: 2 }
  await enter(as, [ofClient], { source: 'api' })
  const results: number[] = []
  for (let n = 0; n < 3; n++) {
    await enter(as, [to], { source: 'reply' }, limits)
    results.push((await enter(as, [to], { state: 'none', source: 'reply' }, limits)).changed)
  }
  assert.deepEqual(results, [1, 1, 0])
  assert.equal(await stateOf(to, as), 'suppressed')
  assert.equal((await enter(as, [ofClient], { state: 'none', source: 'api' }, limits)).changed, 1)
})

test('a reply that changes nothing for many accounts costs one statement', async () => {
  const choices = Array.from({ length: 5 }, (_, n) => ({
    accountId: 1_000 + n,
    recipient: toRecipientKey(blindIndex, 1_000 + n, '01033330008'),
  }))
  const change = { state: 'suppressed', source: 'reply', reason: '', since: new Date() } as const
  await setCarrierChoices(database, choices, change)
  let statements = 0
  const counting = {
    query: ((...args: Parameters<typeof database.query>) => {
      statements++
      return database.query(...args)
    }) as typeof database.query,
  } as Transactional
  await setCarrierChoices(counting, choices, change)
  assert.equal(statements, 1)
  const found = await findChoice(database, choices[4]!.recipient, 1_004)
  assert.equal(found?.state, 'suppressed')
})

test('a removed choice is deleted after a day, and its history stays', async () => {
  const gone = toRecipientKey(blindIndex, third.id, numbers(1, 34_000_000)[0]!)
  const before = await countRows()
  await deleteOldChoices(database, new Date())
  assert.equal(await countRows(), before)
  assert.ok((await deleteOldChoices(database, new Date(Date.now() + removedRetentionMs + 60_000))) >= 2)
  assert.equal(await findChoice(database, gone, third.id), null)
  const [last] = await readChoiceHistory(database, gone, third.id)
  assert.deepEqual([last?.state, last?.reason], ['none', 'complaint'])
})

test('changes that wait for a lock get A920 and block no other request', async () => {
  const holder = await database.connect()
  try {
    await holder.query('begin')
    await holder.query(`select from trust_versions where topic = 'suppression' for update`)
    const stuck = Array.from({ length: 40 }, (_, n) => call(account, '', { to: numbers(1, 40_000_000 + n) }))
    const began = performance.now()
    assert.equal(await stateOf('01033330001', other), 'none')
    assert.equal((await api.call(other, 'GET', '/v1/report/polling')).status, 200)
    assertWithin('the other requests', performance.now() - began, 1_000)
    const codes = new Set((await Promise.all(stuck)).map(({ code }) => code))
    assert.deepEqual([...codes], ['A920'])
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  assert.equal((await call(account, '', { to: numbers(1, 40_000_000) })).code, 'A000')
})
