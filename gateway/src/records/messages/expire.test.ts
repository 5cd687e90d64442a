import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { acceptedJobs, attempt, longStep, recordJobs, recordOne } from '../../../test/support/fixtures.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { recordAttempts } from '../attempts/attempts.ts'
import { neverReleaseAt } from '../waiting/waiting-step.ts'
import { holdSteps } from '../waiting/write-waiting.ts'
import { claimSteps, createClaim } from './claim.ts'
import type { EndedStep } from './close.ts'
import { claimExpired } from './expire.ts'

const { database } = await createTestDatabase()
const past = new Date(Date.now() - 1_000)
const unknown = { outcome: 'unknown', carrierId: null, code: 'timeout' } as const

async function expired(msgKey: string): Promise<EndedStep | undefined> {
  const endedSteps = await claimExpired(database, new Date(), 1_000)
  return endedSteps.find((endedStep) => endedStep.msgKey === msgKey)
}

test('a step that was never submitted has timed out', async () => {
  const key = await recordOne(database, {}, past)
  const endedStep = (await expired(key.msgKey))!
  assert.deepEqual([endedStep.cause, endedStep.parts], ['timeout', 1])
  assert.deepEqual([endedStep.step, endedStep.try], [1, 1])
})

test('a step of several parts that was never submitted still counts its parts', async () => {
  const key = await recordOne(database, { steps: [longStep] }, past)
  assert.equal((await expired(key.msgKey))!.parts, 2)
})

test('a step without a receipt times out with its submission time', async () => {
  const key = await recordOne(database, { steps: [longStep] }, past)
  const submittedAt = new Date(Date.now() - 60_000)
  await recordAttempts(database, [
    attempt(key, { part: 1, parts: 2, submittedAt }),
    attempt(key, { part: 2, parts: 2, submittedAt: new Date() }),
  ])
  const endedStep = (await expired(key.msgKey))!
  assert.deepEqual([endedStep.cause, endedStep.parts], ['timeout', 2])
  assert.deepEqual(endedStep.sentAt, submittedAt)
})

test('a step with a part of unknown outcome ends as unknown', async () => {
  const key = await recordOne(database, { steps: [longStep] }, past)
  await recordAttempts(database, [
    attempt(key, { part: 1, parts: 2 }),
    attempt(key, { ...unknown, part: 2, parts: 2 }),
  ])
  assert.equal((await expired(key.msgKey))!.cause, 'outcome-unknown')
})

test('a receipt resolves a part of unknown outcome', async () => {
  const key = await recordOne(database, {}, past)
  await recordAttempts(database, [attempt(key, unknown)])
  await database.query(`update attempts set result = 'delivered' where msg_key = $1`, [key.msgKey])
  assert.equal((await expired(key.msgKey))!.cause, 'timeout')
})

test('a claimed step without a recorded outcome ends as unknown', async () => {
  const key = await recordOne(database, {}, past)
  await claimSteps(database, [createClaim(key)])
  assert.equal((await expired(key.msgKey))!.cause, 'outcome-unknown')
})

test('two workers never get the same step, and neither waits for the other', async () => {
  await database.query('truncate in_flight')
  await recordJobs(database, acceptedJobs(10), past)
  await inTransaction(database, async (transaction) => {
    const first = await claimExpired(transaction, new Date(), 6)
    const second = await inTransaction(database, (other) => claimExpired(other, new Date(), 100))
    assert.equal(first.length, 6)
    assert.equal(second.length, 4)
    assert.equal(new Set([...first, ...second].map(({ msgKey }) => msgKey)).size, 10)
  })
})

test('the steps that are overdue longest are returned first', async () => {
  await database.query('truncate in_flight')
  for (const ago of [2, 3, 1])
    await recordOne(database, { ref: String(ago) }, new Date(Date.now() - ago * 1_000))
  const [first] = await claimExpired(database, new Date(), 1)
  const { rows } = await database.query<{ ref: string }>('select ref from in_flight where msg_key = $1', [
    first!.msgKey,
  ])
  assert.equal(rows[0]!.ref, '3')
})

test('finds due steps through the index, however many are open', async () => {
  const plan = await database.query<{ 'QUERY PLAN': string }>(
    `explain select msg_key from in_flight where due_at <= now() order by due_at limit 500 for update skip locked`,
  )
  assert.match(JSON.stringify(plan.rows), /in_flight_due/)
})

test('a suspended step leaves the waiting table at its deadline, and ends its message unless the account is blocked', async () => {
  const held = async (rule: string): Promise<EndedStep> => {
    const key = await recordOne(database, {}, past)
    await holdSteps(database, [
      {
        ...key,
        accountId: 1,
        routeId: '',
        lane: 'normal',
        parts: 1,
        tries: 0,
        releaseAt: neverReleaseAt,
        resumeAt: past,
        reason: 'rule',
        rule,
      },
    ])
    const endedStep = (await expired(key.msgKey))!
    const waitingRows = await database.query('select from waiting where msg_key = $1', [key.msgKey])
    assert.equal(waitingRows.rowCount, 0)
    return endedStep
  }
  assert.equal((await held('link-allowed')).last, true)
  assert.equal((await held('account-stopped')).last, false)
})

test('a waiting step leaves the waiting table at its deadline, and its parts are counted', async () => {
  for (const [reason, parts] of [
    ['backlog', 2],
    // A row that was written before its parts were counted.
    ['owed', 1],
  ] as const) {
    const key = await recordOne(database, { steps: [longStep] }, past)
    const where = { accountId: 1, routeId: reason === 'owed' ? '' : 'north', lane: 'normal' } as const
    await holdSteps(database, [{ ...key, ...where, parts, tries: 0, releaseAt: past, reason }])
    assert.equal((await expired(key.msgKey))!.parts, 2)
    const waitingRows = await database.query('select from waiting where msg_key = $1', [key.msgKey])
    assert.equal(waitingRows.rowCount, 0)
  }
})
