import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import {
  attempt,
  isInFlight,
  readAccountLedger,
  receiptFor,
  recordOne,
  reportCodes,
  smsStep,
  verdict,
} from '../../../test/support/fixtures.ts'
import { emptyOutbox } from '../../../test/support/pipeline/outbox.ts'
import { testMetrics } from '../../../test/support/silent-log.ts'
import { testScope } from '../../../test/support/pipeline/settle-scope.ts'
import type { SettleJob } from '../../jobs/jobs.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { recordAttempts } from '../../records/attempts/attempts.ts'
import { claimSteps, createClaim, returnClaims } from '../../records/messages/claim.ts'
import { closeMessages } from '../../records/messages/close.ts'
import { settleBatch } from './batch.ts'

const { database } = await createTestDatabase()
const metrics = testMetrics()
const settle = (...jobs: SettleJob[]): Promise<unknown> =>
  settleBatch(
    { database, metrics, outbox: emptyOutbox },
    jobs.map((job) => ({ job, isStored: false })),
    testScope(),
  )
const claim = async (key: StepKey): Promise<string | undefined> =>
  (await claimSteps(database, [createClaim(key)]))[0]
const unsubmitted = (key: StepKey): SettleJob => verdict(key, { cause: 'no-route', state: 'unclaimed' })
const refused = (key: StepKey): SettleJob => verdict(key, { state: 'claimed' })

for (const steps of [[smsStep], [smsStep, smsStep]]) {
  suite(`the first of ${steps.length} steps`, () => {
    const codesAfter = (code: string): string[] => (steps.length === 1 ? [code] : [])
    const stepAfter = async (key: StepKey): Promise<number> => {
      const found = await database.query<{ step: number }>('select step from in_flight where msg_key = $1', [
        key.msgKey,
      ])
      return found.rows[0]?.step ?? 0
    }
    const ended = steps.length === 1 ? 0 : 2

    test('a step that a verdict has ended cannot be claimed', async () => {
      const key = await recordOne(database, { steps })
      await settle(unsubmitted(key))
      assert.equal(await stepAfter(key), ended)
      assert.equal(await claim(key), 'stale')
      assert.deepEqual(await reportCodes(database, key.msgKey), codesAfter('90000'))
    })

    test('the submission of a claimed step continues despite a verdict', async () => {
      const key = await recordOne(database, { steps })
      assert.equal(await claim(key), 'claimed')
      await settle(unsubmitted(key))
      assert.equal(await stepAfter(key), 1)
      const row = attempt(key)
      await recordAttempts(database, [row])
      await settle(unsubmitted(key), receiptFor(row))
      assert.deepEqual(await reportCodes(database, key.msgKey), ['10000'])
    })

    test('a refusal ends the step that is claimed, not one that was released again', async () => {
      const key = await recordOne(database, { steps })
      await settle(refused(key))
      assert.equal(await stepAfter(key), 1)
      await claim(key)
      await settle(refused(key))
      assert.equal(await stepAfter(key), ended)
      assert.deepEqual(await reportCodes(database, key.msgKey), codesAfter('23003'))
    })

    test('the verdict that fits the state takes effect if a batch has two', async () => {
      for (const claimed of [false, true]) {
        for (const reverse of [false, true]) {
          const key = await recordOne(database, { steps })
          if (claimed) await claim(key)
          const both = [unsubmitted(key), refused(key)]
          await settle(...(reverse ? both.reverse() : both))
          assert.equal(await stepAfter(key), ended)
          assert.deepEqual(await reportCodes(database, key.msgKey), codesAfter(claimed ? '23003' : '90000'))
        }
      }
    })
  })
}

test('a step that is not the last never closes its message, even if its state changes between two statements', async () => {
  const key = await recordOne(database, { steps: [smsStep, smsStep] })
  const end = { ...key, cause: 'no-route', parts: 1, sentAt: new Date(), at: new Date() } as const
  const closed = await inTransaction(database, (transaction) =>
    closeMessages(transaction, [{ ...end, state: 'unclaimed' }]),
  )
  assert.deepEqual(closed, [])
  assert.equal(await isInFlight(database, key.msgKey), true)
})

test('verdicts that race with claims end a step or leave it to its claim, never both', async () => {
  const keys = await Promise.all(Array.from({ length: 60 }, () => recordOne(database, { accountId: 61 })))
  const claims = keys.map((key) => createClaim(key))
  const [results] = await Promise.all([claimSteps(database, claims), settle(...keys.map(unsubmitted))])
  for (const [n, key] of keys.entries())
    assert.equal(await isInFlight(database, key.msgKey), results[n] === 'claimed')
  await returnClaims(database, claims)
  await settle(...keys.map(unsubmitted))
  assert.deepEqual(await readAccountLedger(database, 61), { accepted: 60, final: 60, inFlight: 0, gap: 0 })
})
