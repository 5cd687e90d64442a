import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJob, acceptedJobs, inAnHour, readAccountLedger } from '../../../test/support/fixtures.ts'
import { claimSteps, createClaim } from './claim.ts'
import type { AcceptedJob } from '../../jobs/jobs.ts'
import { recordMessages } from './record.ts'

const { database } = await createTestDatabase()
const dueAt = inAnHour()
const record = (jobs: readonly AcceptedJob[]) => recordMessages(database, jobs, () => dueAt)
const keysOf = (jobs: readonly AcceptedJob[]): Set<string> => new Set(jobs.map((job) => job.msgKey))

test('a message is recorded as accepted, and its first step waits for its release', async () => {
  const job = acceptedJob({ accountId: 11, ref: 'order "7" \\ 주문' })
  await record([job])
  const messages = await database.query('select * from messages where msg_key = $1', [job.msgKey])
  assert.deepEqual(messages.rows, [
    {
      msg_key: job.msgKey,
      account_id: 11,
      recipient: job.to,
      flow: job.steps,
      ref: job.ref,
      accepted_at: new Date(job.acceptedAt),
      payment_code: null,
      sealed: null,
      recipient_index: null,
    },
  ])
  const steps = await database.query('select * from in_flight where msg_key = $1', [job.msgKey])
  assert.deepEqual(steps.rows, [
    {
      msg_key: job.msgKey,
      account_id: 11,
      channel: 'sms',
      msg_type: 'SM',
      step: 1,
      steps: 1,
      try: 1,
      state: 'unclaimed',
      due_at: dueAt,
      ref: job.ref,
      results: null,
      payment_code: null,
      claim_token: null,
      fenced_tokens: null,
      recipient_index: null,
      senders: null,
      claim_route: null,
      claim_login: null,
      batch_id: null,
    },
  ])
})

test('the same batch again records nothing and returns the steps still to be released', async () => {
  const jobs = acceptedJobs(20, { accountId: 12 })
  assert.deepEqual((await record(jobs)).fresh, keysOf(jobs))
  await claimSteps(database, [createClaim({ msgKey: jobs[0]!.msgKey, step: 1, try: 1 })])
  const again = await record(jobs)
  assert.equal(again.fresh.size, 0)
  assert.deepEqual(again.unclaimed, keysOf(jobs.slice(1)))
  assert.deepEqual(await readAccountLedger(database, 12), { accepted: 20, final: 0, inFlight: 20, gap: 0 })
})

test('a batch with known keys records the others', async () => {
  const jobs = acceptedJobs(10, { accountId: 13 })
  await record(jobs.slice(0, 5))
  const { fresh, unclaimed } = await record(jobs)
  assert.deepEqual(fresh, keysOf(jobs.slice(5)))
  assert.deepEqual(unclaimed, keysOf(jobs.slice(0, 5)))
  assert.deepEqual(await readAccountLedger(database, 13), { accepted: 10, final: 0, inFlight: 10, gap: 0 })
})

test('the same batch from several concurrent workers is recorded once', async () => {
  const jobs = acceptedJobs(100, { accountId: 14 })
  const results = await Promise.all([1, 2, 3, 4].map(() => record(jobs)))
  const fresh = results.flatMap((result) => [...result.fresh])
  assert.equal(fresh.length, 100)
  assert.deepEqual(new Set(fresh), keysOf(jobs))
  for (const { fresh: mine, unclaimed } of results) assert.equal(mine.size + unclaimed.size, 100)
  assert.deepEqual(await readAccountLedger(database, 14), { accepted: 100, final: 0, inFlight: 100, gap: 0 })
})

test('the same message twice in one batch is recorded once', async () => {
  const job = acceptedJob({ accountId: 15 })
  const other = acceptedJob({ accountId: 15 })
  const { fresh } = await record([job, other, job])
  assert.deepEqual(fresh, keysOf([job, other]))
  assert.deepEqual(await readAccountLedger(database, 15), { accepted: 2, final: 0, inFlight: 2, gap: 0 })
})

test('a batch with one row that cannot be stored records nothing', async () => {
  const jobs = [acceptedJob({ accountId: 16 }), acceptedJob({ accountId: 16, ref: 'a\u0000b' })]
  await assert.rejects(record(jobs), { code: '22021' })
  assert.deepEqual(await readAccountLedger(database, 16), { accepted: 0, final: 0, inFlight: 0, gap: 0 })
})

test('the ledger counts by account and by the day of the key', async () => {
  const midnight = Date.parse(`${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`)
  await record([
    ...acceptedJobs(2, { accountId: 17, acceptedAt: midnight - 1 }),
    ...acceptedJobs(3, { accountId: 17, acceptedAt: midnight }),
    ...acceptedJobs(1, { accountId: 18, acceptedAt: midnight }),
  ])
  const { rows } = await database.query(
    `select to_char(day, 'YYYYMMDD') as day, account_id, accepted, closed from ledger
      where account_id in (17, 18) order by account_id, day`,
  )
  const [yesterday, today] = [midnight - 1, midnight].map((at) =>
    new Date(at).toISOString().slice(0, 10).replaceAll('-', ''),
  )
  assert.deepEqual(rows, [
    { day: yesterday, account_id: 17, accepted: 2, closed: 0 },
    { day: today, account_id: 17, accepted: 3, closed: 0 },
    { day: today, account_id: 18, accepted: 1, closed: 0 },
  ])
})
