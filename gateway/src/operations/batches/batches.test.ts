/** Batches over the admin API: progress without recipients and texts, and changes with an audit row. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccount } from '../../../test/support/fixtures.ts'
import { insertBatch } from '../../../test/support/batches.ts'
import { createTestAdmin } from '../../../test/support/http/admin.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { listAudit } from '../../identity/audit/queries.ts'

const admin = await createTestAdmin()
const { database } = admin
const shop = await createAccount(database, 'shop')
await createAccount(database, 'cafe')

interface Shown {
  readonly batchId: string
  readonly state: string
  readonly perSecond: number | null
  readonly expectedEndAt: string | null
  readonly codes: readonly { readonly code: string; readonly lines: number; readonly text: string }[]
  readonly outcomes: readonly { readonly code: string; readonly delivered: boolean; readonly text: string }[]
}
const show = (batchKey: string, query = ''): Promise<Shown> =>
  admin.get<Shown>('viewer', `/admin/v1/batches/${batchKey}${query}`)

test('a batch shows its progress, reasons, pace and expected end, but no recipients', async () => {
  const { id, batchKey } = await insertBatch(database, shop, {
    state: 'running',
    ref: 'sale-11',
    lines: 100,
    duplicates: 5,
    refused: 15,
    messages: 40,
    codes: { A302: 5, A306: 10 },
    hoursFrom: '00:00',
    hoursTo: '23:59',
  })
  await database.query(
    `insert into batch_outcomes (batch_id, report_code, messages) values ($1, '10000', 10), ($1, '10000', 15), ($1, '23001', 5)`,
    [id],
  )
  await database.query(`insert into batch_parts (batch_id, part, sha256, lines) values ($1, 1, '', 100)`, [
    id,
  ])
  const keys = [5, 10].flatMap((seconds) => [
    '',
    ...Array.from({ length: 20 }, () => createMsgKey('00', new Date(Date.now() - seconds * 1_000))),
  ])
  const old = createMsgKey('00', new Date(Date.now() - 600_000))
  await database.query(
    `insert into batch_pages (batch_id, part, page, lines, hashes, msg_keys) values ($1, 1, 0, 100, '{}', $2)`,
    [id, [old, ...keys]],
  )
  await database.query('update batches set next_part = 1 where id = $1', [id])
  const shown = await show(batchKey)
  const { createdAt, expectedEndAt, perSecond, codes, outcomes, ...rest } = shown as Shown & {
    createdAt: string
  }
  assert.deepEqual(rest, {
    batchId: batchKey,
    account: 'shop',
    ref: 'sale-11',
    state: 'running',
    lines: 100,
    waiting: 40,
    duplicate: 5,
    refused: 15,
    cancelled: 0,
    messages: 40,
    open: 10,
    delivered: 25,
    failed: 5,
    startAt: null,
    startedAt: null,
    endBy: null,
    endedAt: null,
    speed: null,
    hours: { from: '00:00', to: '23:59' },
    duplicates: 'drop',
    timeZone: 'Asia/Seoul',
  })
  // 40 messages in the last minute, the oldest of them ten seconds ago.
  assert.ok(perSecond! > 3 && perSecond! <= 4, String(perSecond))
  assert.ok(Date.parse(expectedEndAt!) > Date.parse(createdAt))
  assert.deepEqual(
    codes.map(({ code, lines, text }) => [code, lines, text !== '']),
    [
      ['A306', 10, true],
      ['A302', 5, true],
    ],
  )
  assert.deepEqual(
    outcomes.map(({ code, delivered, text }) => [code, delivered, text !== '']),
    [
      ['10000', true, true],
      ['23001', false, true],
    ],
  )
  const korean = await show(batchKey, '?language=ko')
  assert.match(korean.outcomes[0]!.text, /[가-힣]/)
})

test('batches are listed newest first, by account and state', async () => {
  const first = await insertBatch(database, shop, { state: 'ready' })
  const second = await insertBatch(database, shop, { state: 'ready' })
  const list = (query: string) =>
    admin.get<{ items: Shown[]; next: string | null }>('viewer', `/admin/v1/batches?${query}`)
  const page = await list('account=shop&state=ready&limit=1')
  assert.deepEqual(
    page.items.map(({ batchId }) => batchId),
    [second.batchKey],
  )
  const rest = await list(`account=shop&state=ready&limit=1&cursor=${page.next}`)
  assert.deepEqual([rest.items.map(({ batchId }) => batchId), rest.next], [[first.batchKey], null])
  assert.deepEqual((await list('account=cafe')).items, [])
})

test('a batch is paused, resumed and cancelled once, each with an audit row', async () => {
  const { batchKey } = await insertBatch(database, shop, { state: 'running', lines: 10, messages: 4 })
  const change = (role: 'operator' | 'support', verb: string, reason?: string) =>
    admin.call(role, 'POST', `/admin/v1/batches/${batchKey}/${verb}`, reason === undefined ? {} : { reason })
  assert.equal((await change('support', 'pause', 'case 7')).status, 403)
  assert.equal((await change('operator', 'pause')).status, 400)
  for (const verb of ['pause', 'pause', 'resume', 'pause', 'cancel', 'cancel'])
    assert.equal((await change('operator', verb, 'case 7')).status, 200, verb)
  const shown = (await show(batchKey)) as Shown & Record<'waiting' | 'cancelled', number>
  assert.deepEqual([shown.state, shown.waiting, shown.cancelled], ['cancelled', 0, 6])
  const refused = await change('operator', 'resume', 'case 7')
  assert.deepEqual([refused.body.code, refused.body.facts], ['refused', { state: 'cancelled' }])
  const rows = await listAudit(database, { target: batchKey, limit: 20 })
  assert.deepEqual(
    rows.filter(({ result }) => result === 'done').map(({ action, account }) => [action, account]),
    ['cancel', 'pause', 'resume', 'pause'].map((verb) => [`batch ${verb}`, 'shop']),
  )
  assert.equal((await admin.call('viewer', 'GET', '/admin/v1/batches/unknown')).status, 404)
})
