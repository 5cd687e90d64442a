import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyOutbox } from '../../../test/support/pipeline/outbox.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  acceptedJob,
  attempt,
  receiptFor,
  recordJobs,
  reportCodes,
  smsStep,
  verdict,
} from '../../../test/support/fixtures.ts'
import { testMetrics } from '../../../test/support/silent-log.ts'
import { testScope } from '../../../test/support/pipeline/settle-scope.ts'
import type { Step } from '../../channels/channel.ts'
import type { SettleJob } from '../../jobs/jobs.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { recordAttempts } from '../../records/attempts/attempts.ts'
import { settleBatch } from './batch.ts'

const { database } = await createTestDatabase()
const metrics = testMetrics()
const alimtalk: Step = {
  channel: 'alimtalk',
  content: { senderKey: 'a'.repeat(40), msgType: 'AT', templateCode: 'T1', text: 'Your code is 4711' },
}

const settle = (job: SettleJob) =>
  settleBatch({ database, metrics, outbox: emptyOutbox }, [{ job, isStored: false }], testScope())

async function submitted(steps: readonly Step[]): Promise<{ key: StepKey; row: ReturnType<typeof attempt> }> {
  const [key] = await recordJobs(database, [acceptedJob({ steps })])
  const row = attempt(key!)
  await recordAttempts(database, [row])
  return { key: key!, row }
}

const refused = { result: 'failed', cause: 'refused', code: '3016' } as const

test('a report has the reason of its receipt, even if another step follows', async () => {
  const { key, row } = await submitted([alimtalk, smsStep])
  await settle(receiptFor(row, { ...refused, reportCode: '63016' }))
  const next = attempt({ ...key, step: 2 }, { carrierId: 'id-of-the-sms' })
  await recordAttempts(database, [next])
  await settle(receiptFor(next))
  assert.deepEqual(await reportCodes(database, key.msgKey), ['63016', '10000'])
  const { rows } = await database.query<{ text: string }>(
    'select report_text as text from reports where msg_key = $1 and step = 1',
    [key.msgKey],
  )
  assert.equal(rows[0]!.text, 'Text differs from the template')
})

test('a report has the reason of a refused submission', async () => {
  const [key] = await recordJobs(database, [acceptedJob({ steps: [alimtalk] })])
  await settle(verdict(key!, { cause: 'refused', reportCode: '63027' }))
  assert.deepEqual(await reportCodes(database, key!.msgKey), ['63027'])
})

test('a refusal without a known reason reports a failure without a reason', async () => {
  for (const detail of [{}, ...['63999', '33111', '', 'constructor'].map((reportCode) => ({ reportCode }))]) {
    const { key, row } = await submitted([alimtalk])
    await settle(receiptFor(row, { ...refused, ...detail }))
    assert.deepEqual(await reportCodes(database, key.msgKey), ['69999'], JSON.stringify(detail))
  }
})
