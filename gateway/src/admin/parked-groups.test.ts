/** Parked jobs in groups over the admin API: counted by stage and reason, and retried up to the job that was seen last. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAdmin } from '../../test/support/admin.ts'
import { acceptedJob, createAccount } from '../../test/support/fixtures.ts'
import { saveParked } from '../records/parked/queries.ts'

const admin = await createTestAdmin()
const { database } = admin
const shop = await createAccount(database, 'shop')

test('parked jobs are counted by stage and reason, and a group is retried up to the job that was seen last', async () => {
  interface Groups {
    readonly groups: { stage: string; reason: string; jobs: number; lastId: number }[]
    readonly counted: number
    readonly more: boolean
  }
  const park = async (stage: 'intake' | 'settle' | 'unreadable', reason: string, count: number) =>
    saveParked(
      database,
      Array.from({ length: count }, () => {
        const job = acceptedJob({ accountId: shop })
        return { stage, msgKey: job.msgKey, reason, payload: Buffer.from(JSON.stringify(job)) }
      }),
    )
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
  // What no stage can read is given to none.
  const rest = await retry({ lastId: 2 ** 31 })
  assert.equal(rest.jobs.length, 2)
  assert.deepEqual(await retry({ lastId: 2 ** 31 }), { jobs: [], stoppedAt: null, more: false })
  assert.equal(
    (await admin.call('operator', 'POST', '/admin/v1/parked/retry', {})).body.code,
    'invalid-request',
  )
})
