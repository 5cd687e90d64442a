import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { createTestRedis } from '../../../test/support/engines/redis.ts'
import { openPipeline } from '../../../test/support/pipeline/pipeline.ts'
import { waitFor } from '../../../test/support/wait.ts'
import { setSwitches } from '../switches.ts'

const { redis } = await createTestRedis()
const pipeline = await openPipeline({ redis, recipientPerHour: 20, prefixPerTenMinutes: 30 })
const { api, database } = pipeline
await setSwitches(database, ['recipient-velocity', 'prefix-velocity'], true, createTestAuditContext())
await api.trust.cache.refresh()

interface Batch {
  readonly counts: { readonly waiting: number; readonly messages: number; readonly refused: number }
  readonly codes: Readonly<Record<string, number>>
}

test('the lines of a batch count with the messages of requests', async () => {
  const shop = await api.account()
  const content = { from: '0234567890', text: 'hello' }
  const send = async (to: string): Promise<string> =>
    (await api.call(shop, 'POST', '/v1/send/sms', { ...content, to })).body.code
  for (let n = 0; n < 5; n++) assert.equal(await send('01012345678'), 'A000')
  const recipients = [
    ...Array.from({ length: 40 }, () => '01012345678'),
    ...Array.from({ length: 40 }, (_, n) => `010222233${String(n).padStart(2, '0')}`),
  ].map((to) => ({ to }))
  const created = await api.call(
    shop,
    'POST',
    '/v1/batch',
    { messageFlow: [{ sms: content }], duplicates: 'keep', recipients, start: true },
    { 'idempotency-key': 'velocity' },
  )
  assert.equal(created.body.code, 'A000', created.body.result)
  const { batchId } = created.body.data as { batchId: string }
  await pipeline.startWorker()
  const show = async (): Promise<Batch> =>
    (await api.call(shop, 'GET', `/v1/batch/${batchId}`)).body.data as Batch
  await waitFor('all lines to be decided', async () => (await show()).counts.waiting === 0)
  const { counts, codes } = await show()
  assert.deepEqual([counts.messages, counts.refused, codes], [15 + 30, 25 + 10, { A344: 35 }])
  assert.deepEqual([await send('01012345678'), await send('01022223399')], ['A344', 'A344'])
})
