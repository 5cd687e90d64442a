import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSmsc } from '../../../../../simulator/src/smsc.ts'
import { addCleanup } from '../../../../test/support/cleanup.ts'
import { acceptedJob, isInFlight, reportCodes, smsStep } from '../../../../test/support/fixtures.ts'
import { openPipeline } from '../../../../test/support/pipeline/pipeline.ts'
import { testRoute } from '../../../../test/support/routes.ts'
import { smppRoute } from '../../../../test/support/smpp/smpp-route.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { digestLogin } from '../../../carriers/routes/logins.ts'

const smsc = await startSmsc({ lateMs: 600_000 })
addCleanup(() => smsc.close())
const pipeline = await openPipeline(
  {},
  {
    lookups: {
      delaysMs: [100],
      everyMs: 100,
      times: { agesMs: [500, 2_000, 5_000, 10_000], beforeDeadlineMs: [3_000, 1_500] },
    },
  },
)
const { database } = pipeline
const route = smppRoute('smsc', smsc, { priority: 10, channels: ['sms'] })
await pipeline.addRoute({ ...route, options: { ...route.options, lookup: true, registeredDelivery: 0 } })
await pipeline.addRoute(
  testRoute('fallback', { channels: ['international'], protocol: 'sandbox', options: {} }),
)
await pipeline.startWorker()

test('an accepted submission without a receipt ends with the result that its carrier reports', async () => {
  // The last digits of the recipient select how the simulated SMSC treats the message (`simulator/src/smsc/behaviours.ts`).
  for (const [ending, code] of [
    ['0003', '10000'],
    // The id has leading zeros, which attempts do not store.
    ['0035', '10000'],
    ['0036', '10000'],
    ['0006', '22000'],
  ]) {
    const msgKey = await pipeline.send(1, `0101234${ending}`, smsStep)
    assert.deepEqual(await reportCodes(database, msgKey), [code], ending)
  }
  assert.equal(smsc.stats().submits, 4)
})

test('a submission is revoked before its deadline, and its fallback cannot double it', async () => {
  const fallback = { ...smsStep, channel: 'international' } as const
  const startedAt = Date.now()
  const ttlSeconds = 5
  const msgKey = await pipeline.send(2, '01012340015', { ...smsStep, ttlSeconds }, fallback)
  const [revoked, sent] = await reportCodes(database, msgKey)
  assert.deepEqual([revoked, sent], ['22000', '10000'])
  const { rows } = await database.query<{ code: string; sentAt: Date }>(
    `select receipt_code as code, submitted_at as "sentAt" from attempts where msg_key = $1 order by step`,
    [msgKey],
  )
  assert.equal(rows[0]!.code, 'revoked')
  assert.ok(rows[1]!.sentAt.getTime() < startedAt + ttlSeconds * 1_000, 'before the deadline')
  assert.equal(smsc.stats().cancels, 1)
  await pipeline.balances(2, 1)
})

test('a carrier is not asked about a submission by another login', async () => {
  const job = acceptedJob({ accountId: 3, to: '01012340003', steps: [smsStep] })
  await pipeline.publish(job)
  // As if an operator had given the route the login of another carrier since the submission.
  const moved = await waitFor('the submission', async () => {
    const { rows } = await database.query<{ login: string }>(
      `update in_flight f set claim_login = 'another' from (select msg_key, claim_login from in_flight) before
        where f.msg_key = $1 and before.msg_key = f.msg_key and state = 'claimed'
       returning before.claim_login as login`,
      [job.msgKey],
    )
    return rows[0]
  })
  assert.equal(moved.login, digestLogin(route)!.slice(0, 4))
  const own = await pipeline.send(3, '01012350003', smsStep)
  assert.deepEqual(await reportCodes(database, own), ['10000'])
  assert.equal(await isInFlight(database, job.msgKey), true)
})
