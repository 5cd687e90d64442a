/** Parked jobs in groups: counted by stage and reason, and retried up to the last seen job. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAdmin } from '../../../test/support/http/admin.ts'
import { acceptedJob, createAccount } from '../../../test/support/fixtures.ts'
import { AuditRecorder } from '../audit-recorder.ts'
import { retryJobs } from './parked.ts'
import { listParked, saveParked } from '../../records/parked/queries.ts'
import { writeCursor } from '../cursor.ts'

const admin = await createTestAdmin()
const { database } = admin
const shop = await createAccount(database, 'shop')

const park = async (
  stage: 'intake' | 'settle' | 'unreadable',
  reason: string | null,
  count: number,
): Promise<void> =>
  saveParked(
    database,
    Array.from({ length: count }, () => {
      const job = acceptedJob({ accountId: shop })
      return { stage, msgKey: job.msgKey, reason, payload: Buffer.from(JSON.stringify(job)) }
    }),
  )

test('parked jobs are counted by stage and reason, and retried up to the last seen job', async () => {
  interface Groups {
    readonly groups: { stage: string; reason: string; jobs: number; lastId: number }[]
    readonly counted: number
    readonly more: boolean
  }
  await park('intake', 'error 22021', 3)
  await park('settle', 'it names no step', 1)
  await park('unreadable', 'not JSON', 1)
  const { groups, counted, more } = await admin.get<Groups>('viewer', '/admin/v1/parked/groups')
  assert.deepEqual(
    groups.map(({ stage, reason, jobs }) => [stage, reason, jobs]),
    [
      ['intake', 'error 22021', 3],
      ['settle', 'it names no step', 1],
      ['unreadable', 'not JSON', 1],
    ],
  )
  assert.deepEqual([counted, more], [5, false])
  const listed = await admin.get<{ items: object[] }>(
    'viewer',
    '/admin/v1/parked?parkedReason=it%20names%20no%20step',
  )
  assert.equal(listed.items.length, 1)
  await park('intake', 'error 22021', 1)
  const retry = async (group: object): Promise<{ jobs: object[]; more: boolean }> => {
    const { status, body } = await admin.call('operator', 'POST', '/admin/v1/parked/retry', { group })
    assert.equal(status, 200, JSON.stringify(body))
    return body.data!
  }
  const group = { stage: 'intake', parkedReason: 'error 22021', lastId: groups[0]!.lastId }
  const retried = await retry(group)
  assert.deepEqual([retried.jobs.length, retried.more], [3, false])
  // Jobs that no stage can read are sent to none.
  const rest = await retry({ lastId: 2 ** 31 })
  assert.equal(rest.jobs.length, 2)
  assert.deepEqual(await retry({ lastId: 2 ** 31 }), { jobs: [], stoppedAt: null, more: false })
  assert.equal(
    (await admin.call('operator', 'POST', '/admin/v1/parked/retry', {})).body.code,
    'invalid-request',
  )
})

test('jobs without a reason are listed and retried separately from the rest of their stage', async () => {
  await park('settle', 'it names no step', 2)
  await park('settle', null, 3)
  const listReasons = async (query: string): Promise<(string | null)[]> =>
    (
      await admin.get<{ items: { reason: string | null }[] }>(
        'viewer',
        `/admin/v1/parked?stage=settle${query}`,
      )
    ).items.map(({ reason }) => reason)
  assert.deepEqual(await listReasons('&withoutReason=true'), [null, null, null])
  assert.equal((await listReasons('')).length, 5)
  const combined = '/admin/v1/parked?withoutReason=true&parkedReason=x'
  assert.equal((await admin.call('viewer', 'GET', combined)).status, 400)
  const group = { stage: 'settle', parkedReason: null, lastId: 2 ** 31 }
  const { body } = await admin.call('operator', 'POST', '/admin/v1/parked/retry', { group })
  assert.equal((body.data! as { jobs: object[] }).jobs.length, 3)
  assert.deepEqual(await listReasons(''), ['it names no step', 'it names no step'])
})

test('a retry skips looked-up jobs that no longer exist; named jobs must exist', async () => {
  await park('settle', 'gone', 3)
  const goneJobs = await listParked(database, 0, 100, { reason: 'gone' })
  const ids = goneJobs.map(({ id }) => id)
  await database.query('delete from parked where id = any ($1)', [ids.slice(0, 2)])
  const { broker, topology } = admin
  const act = {
    by: 'root',
    role: 'shell',
    reason: 'a test',
    source: 'test',
    keyId: null,
    requestId: 'r',
  } as const
  const run = { command: 'parked retry', audited: false, once: false }
  const audit = new AuditRecorder(database, run, { act, signature: null })
  const context = { database, audit, broker, topology }
  await assert.rejects(retryJobs(context, { ids, lookedUp: false }), /parked job '\d+' not found/)
  const { jobs, stoppedAt } = await retryJobs(context, { ids, lookedUp: true })
  assert.deepEqual([jobs.map(({ row }) => row.id), stoppedAt], [ids.slice(2), null])
})

test('a group is dropped: each message ends once, and later jobs are kept', async () => {
  await park('intake', 'error 22P05', 2)
  await park('unreadable', 'no JSON at all', 1)
  const parked = await listParked(database, 0, 1_000, {})
  const lastId = parked.at(-1)!.id
  await park('intake', 'error 22P05', 1)
  const drop = (body: object) => admin.call('operator', 'POST', '/admin/v1/parked/drop', body)
  const group = { stage: 'intake', parkedReason: 'error 22P05', lastId }
  assert.equal((await drop(group)).status, 400)
  const { status, body } = await drop({ ...group, reason: 'a test' })
  assert.equal(status, 200, JSON.stringify(body))
  assert.partialDeepStrictEqual(body.data, { dropped: 2, kept: [], more: false })
  const unreadable = await drop({
    stage: 'unreadable',
    parkedReason: 'no JSON at all',
    lastId,
    reason: 'a test',
  })
  assert.partialDeepStrictEqual(unreadable.body.data, { dropped: 1 })
  const remaining = await listParked(database, 0, 1_000, { reason: 'error 22P05' })
  assert.equal(remaining.length, 1)
  const keys = parked.filter(({ reason }) => reason === 'error 22P05').map(({ msgKey }) => msgKey)
  const recorded = await database.query('select msg_key from messages where msg_key = any($1)', [keys])
  assert.equal(recorded.rowCount, 2)
})

test('an impossible row number is refused with a message', async () => {
  const large = 2 ** 64
  for (const url of [
    `/admin/v1/parked?cursor=${writeCursor([large])}`,
    `/admin/v1/audit?cursor=${writeCursor([large])}`,
    `/admin/v1/webhooks?order=trouble&cursor=${writeCursor([1, large, 'x'])}`,
    `/admin/v1/messages?account=shop&code=10000&cursor=${writeCursor(['seq', large])}`,
  ]) {
    const { status, body } = await admin.call('admin', 'GET', url)
    assert.deepEqual([status, body.code], [400, 'invalid-request'], url)
    assert.match(body.detail, /'cursor' is invalid/)
  }
  for (const group of [{ lastId: large }, { afterId: large, lastId: 1 }]) {
    const { status, body } = await admin.call('operator', 'POST', '/admin/v1/parked/retry', { group })
    assert.deepEqual([status, body.code], [400, 'invalid-request'])
  }
})
