import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  acceptedJobs,
  attempt,
  longStep,
  receiptFor,
  recordJobs,
  smsStep,
} from '../../../test/support/fixtures.ts'
import { emptyOutbox } from '../../../test/support/pipeline/outbox.ts'
import { createRandom } from '../../../test/support/random.ts'
import { testScope } from '../../../test/support/pipeline/settle-scope.ts'
import { testMetrics } from '../../../test/support/silent-log.ts'
import type { ReceiptJob } from '../../jobs/jobs.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { recordAttempts } from '../../records/attempts/attempts.ts'
import { claimSteps, createClaim, returnClaims, pinClaims } from '../../records/messages/claim.ts'
import { settleBatch } from './batch.ts'

const { database } = await createTestDatabase()
const random = createRandom(11)
const metrics = testMetrics()
const unknown = { outcome: 'unknown', carrierId: null, code: 'interrupted' } as const

test('claims and returns of the same steps do not deadlock', async () => {
  const keys = await recordJobs(database, acceptedJobs(300))
  for (let round = 0; round < 10; round++) {
    const claims = keys.map((key) => createClaim(key))
    const others = keys.map((key) => createClaim(key))
    await Promise.all([
      claimSteps(database, random.shuffle(claims)),
      claimSteps(database, random.shuffle(others)),
      returnClaims(database, random.shuffle(claims)),
    ])
    await Promise.all([
      returnClaims(database, random.shuffle(others)),
      returnClaims(database, random.shuffle(others)),
      pinClaims(database, random.shuffle([...claims, ...others])),
    ])
  }
})

test('outcomes of the same steps that are recorded at once do not deadlock, and unknown ones are replaced', async () => {
  for (let round = 0; round < 10; round++) {
    const keys = await recordJobs(database, acceptedJobs(100))
    await Promise.all([
      recordAttempts(database, random.shuffle(keys.map((key) => attempt(key)))),
      recordAttempts(database, random.shuffle(keys.map((key) => attempt(key, unknown)))),
      recordAttempts(database, random.shuffle(keys.map((key) => attempt(key)))),
    ])
    const accepted = await database.query(
      `select from attempts where msg_key = any($1) and outcome = 'accepted'`,
      [keys.map(({ msgKey }) => msgKey)],
    )
    assert.equal(accepted.rowCount, 100)
  }
})

test('receipts of different parts of the same messages, in two batches, do not deadlock', async () => {
  const failed = { result: 'failed', cause: 'phone-off', code: 'UNDELIV:003' } as const
  const receiptOf = (key: StepKey, part: number, overrides: Partial<ReceiptJob> = {}): ReceiptJob =>
    receiptFor(attempt(key, { part, parts: 2 }), overrides)
  for (let round = 0; round < 10; round++) {
    // Half of the messages have a next step, and are locked by other statements than messages that close.
    const keys = [
      ...(await recordJobs(database, acceptedJobs(40, { steps: [longStep] }))),
      ...(await recordJobs(database, acceptedJobs(40, { steps: [longStep, smsStep] }))),
    ]
    await recordAttempts(
      database,
      keys.flatMap((key) => [1, 2].map((part) => attempt(key, { part, parts: 2 }))),
    )
    const [some, others] = [0, 1].map((parity) => keys.filter((_, n) => n % 2 === parity)) as [
      StepKey[],
      StepKey[],
    ]
    const settle = (jobs: readonly ReceiptJob[]): Promise<unknown> =>
      settleBatch(
        { database, metrics, outbox: emptyOutbox },
        random.shuffle(jobs).map((job) => ({ job, isStored: false })),
        testScope(),
      )
    await Promise.all([
      settle([...some.map((key) => receiptOf(key, 1)), ...others.map((key) => receiptOf(key, 1, failed))]),
      settle([...others.map((key) => receiptOf(key, 2)), ...some.map((key) => receiptOf(key, 2, failed))]),
    ])
  }
})
