import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../../test/support/engines/broker.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  attempt,
  isInFlight,
  readAccountLedger,
  recipient,
  reportCodes,
  sender,
} from '../../../test/support/fixtures.ts'
import { openTestPlacement } from '../../../test/support/pipeline/placing.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { createTestServer } from '../../../test/support/http/server.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { startIntake } from '../../pipeline/intake/intake.ts'
import { upsertRoute } from '../../carriers/routes/queries.ts'
import { createOutbox } from '../../pipeline/scheduling/outbox.ts'
import { insertAttempts } from '../attempts/attempts.ts'
import { toKeyDay } from '../partitions.ts'
import type { RouteJob } from '../../jobs/jobs.ts'

const { database } = await createTestDatabase()
const testBroker = await createTestBroker()
const { broker, topology } = testBroker
await upsertRoute(database, {
  id: 'texts',
  channels: ['sms'],
  protocol: 'sandbox',
  options: {},
  priority: 100,
  partsPerSecond: 0,
  enabled: true,
})
const queue = topology.getQueue('texts')
await broker.declare([queue])
const placing = await openTestPlacement(database)
const stopping = new AbortController()
const stage = { ...placing, broker, topology, database, metrics: testMetrics(), log: silentLog }
const intake = startIntake({ ...stage, stepTtlSeconds: 60, retentionDays: 30 })
addCleanup(() => {
  stopping.abort()
  return intake.stop()
})
const outbox = createOutbox({ ...stage, publisher: broker.publisher, stepTtlSeconds: 60 })
const api = await createTestServer({ database, broker, topology })
const account = await api.account()
const other = await api.account()
const body = { from: sender, to: recipient, text: 'good morning' }
const day = 86_400_000

async function schedule(at: number): Promise<string> {
  const sendAt = encodeURIComponent(new Date(at).toISOString())
  const response = await api.call(account, 'POST', `/v1/send/sms?sendAt=${sendAt}`, body)
  assert.equal(response.status, 200, response.body.result)
  const { msgKey } = response.body as unknown as { msgKey: string }
  await waitFor('intake', () => isInFlight(database, msgKey))
  return msgKey
}
const cancel = (who: typeof account, msgKey: string) => api.call(who, 'DELETE', `/v1/send/${msgKey}`)

test('a scheduled message waits in the partition of the day it is sent on', async () => {
  const sendAt = Date.now() + 59 * day
  const msgKey = await schedule(sendAt)
  assert.equal(msgKey.slice(0, 8), toKeyDay(new Date(sendAt)))
  await outbox.releaseStranded()
  assert.equal(await broker.depth(queue), 0)
  const waiting = await database.query(`select from waiting where msg_key = $1 and reason = 'scheduled'`, [
    msgKey,
  ])
  assert.equal(waiting.rowCount, 1)
})

test('a scheduled message is released when due, and its deadline counts from then on', async () => {
  const sendAt = Date.now() + 1_500
  const msgKey = await schedule(sendAt)
  await waitFor('its release', async () => {
    await outbox.releaseStranded()
    return (await broker.depth(queue)) === 1
  })
  const [job] = (await testBroker.drain(queue, 1)) as RouteJob[]
  assert.equal(job!.msgKey, msgKey)
  assert.ok(job!.dueAt >= sendAt + 60_000, `${job!.dueAt - sendAt} ms`)
  assert.deepEqual(
    [(await cancel(account, msgKey)).body.code, await isInFlight(database, msgKey)],
    ['A330', true],
  )
})

test('a message cancelled before its release ends with one report, and the ledger balances', async () => {
  const msgKey = await schedule(Date.now() + day)
  assert.equal((await cancel(other, msgKey)).body.code, 'A330')
  assert.equal((await cancel(account, msgKey)).body.code, 'A000')
  assert.deepEqual(await reportCodes(database, msgKey), ['90010'])
  assert.equal((await readAccountLedger(database, account.id)).gap, 0)
})

test('a repeated cancellation succeeds for its account and changes nothing', async () => {
  const msgKey = await schedule(Date.now() + day)
  await cancel(account, msgKey)
  assert.equal((await cancel(account, msgKey)).body.code, 'A000')
  assert.equal((await cancel(other, msgKey)).body.code, 'A330')
  assert.deepEqual(await reportCodes(database, msgKey), ['90010'])
  assert.equal((await readAccountLedger(database, account.id)).gap, 0)
})

test('exactly one of a concurrent release and cancellation takes effect', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, () => schedule(Date.now() + day)))
  await database.query(`update waiting set release_at = now() where msg_key = any($1)`, [keys])
  const [, ...responses] = await Promise.all([
    outbox.releaseStranded(),
    ...keys.map((msgKey) => cancel(account, msgKey)),
  ])
  const cancelled = responses.filter((response) => response.body.code === 'A000').length
  const closed = await Promise.all(keys.map(async (msgKey) => !(await isInFlight(database, msgKey))))
  assert.equal(closed.filter(Boolean).length, cancelled)
  assert.equal((await readAccountLedger(database, account.id)).gap, 0)
})

test('a submitted step that waits for its next try cannot be cancelled', async () => {
  const [counted, attempted] = [await schedule(Date.now() + day), await schedule(Date.now() + day)]
  // The state in which a block leaves a step that waited for a retry.
  await database.query(
    `update waiting set resume_at = release_at, release_at = '9999-01-01Z', reason = 'rule', rule = 'account-stopped'
      where msg_key = any ($1)`,
    [[counted, attempted]],
  )
  await database.query('update waiting set tries = 1 where msg_key = $1', [counted])
  await insertAttempts(database, [attempt({ msgKey: attempted, step: 1, try: 1 }, { outcome: 'refused' })])
  for (const msgKey of [counted, attempted]) {
    assert.equal((await cancel(account, msgKey)).body.code, 'A330')
    assert.ok(await isInFlight(database, msgKey))
  }
})

for (const [description, sendAt] of [
  ['a value that is not a time', 'tomorrow'],
  ['a time without its offset', '2026-12-24T09:00:00'],
  ['a day that does not exist', '2026-13-24T09:00:00Z'],
  ['yesterday', new Date(Date.now() - day).toISOString()],
  ['sixty-one days ahead', new Date(Date.now() + 61 * day).toISOString()],
] as const) {
  test(`rejects ${description} as sendAt`, async () => {
    const time = encodeURIComponent(sendAt)
    const response = await api.call(account, 'POST', `/v1/send/sms?sendAt=${time}`, body)
    assert.deepEqual([response.status, response.body.code], [400, 'A300'])
    assert.match(response.body.result, /^Invalid or empty 'sendAt': must be /)
    assert.ok(response.body.result.endsWith(`, got '${sendAt}'`), response.body.result)
  })
}

test('accepts an offset whose plus sign was not encoded', async () => {
  const local = new Date(Date.now() + day + 9 * 3_600_000).toISOString().slice(0, 19)
  const response = await api.call(account, 'POST', `/v1/send/sms?sendAt=${local}+09:00`, body)
  assert.equal(response.status, 200)
})
