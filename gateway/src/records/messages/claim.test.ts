/** Claims: exactly one caller wins, and the others get the state of the step. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../test/support/database.ts'
import { acceptedJobs, attempt, recordJobs, recordOne } from '../../../test/support/fixtures.ts'
import { recordAttempts } from '../attempts/attempts.ts'
import { claimSteps, unclaimSteps } from './claim.ts'

const { database } = await createTestDatabase()

test('gives each of the four verdicts, in the order of the keys', async () => {
  const [interrupted, free, recorded, closed] = await recordJobs(database, acceptedJobs(4))
  await claimSteps(database, [interrupted!, recorded!])
  await recordAttempts(database, [attempt(recorded!)])
  await database.query('delete from in_flight where msg_key = $1', [closed!.msgKey])
  const verdicts = await claimSteps(database, [recorded!, closed!, free!, interrupted!])
  assert.deepEqual(verdicts, ['recorded', 'stale', 'claimed', 'interrupted'])
})

test('a step that was never recorded, or another step or try of a message, is stale', async () => {
  const key = await recordOne(database)
  const verdicts = await claimSteps(database, [
    { ...key, msgKey: key.msgKey.replace(/.$/, '_') },
    { ...key, step: 2 },
    { ...key, try: 2 },
  ])
  assert.deepEqual(verdicts, ['stale', 'stale', 'stale'])
  assert.deepEqual(await claimSteps(database, [key]), ['claimed'])
})

test('of a stale and the current step of one message in one batch, the current one is claimed', async () => {
  const key = await recordOne(database)
  await database.query('update in_flight set step = 2 where msg_key = $1', [key.msgKey])
  assert.deepEqual(await claimSteps(database, [key, { ...key, step: 2 }]), ['stale', 'claimed'])
})

test('of many concurrent claims exactly one wins', async () => {
  const keys = await recordJobs(database, acceptedJobs(50))
  const shuffled = [keys, [...keys].reverse(), keys, [...keys].reverse()]
  const verdicts = await Promise.all(
    shuffled.map(async (mine) => {
      // Opposite orders may deadlock; PostgreSQL ends one of them, and that one tries again as dispatch does.
      for (;;) {
        try {
          return new Map(
            (await claimSteps(database, mine)).map((claim, index) => [mine[index]!.msgKey, claim]),
          )
        } catch (error) {
          if ((error as { code?: string }).code !== '40P01') throw error
        }
      }
    }),
  )
  for (const { msgKey } of keys) {
    const claims = verdicts.map((verdict) => verdict.get(msgKey)).sort()
    assert.deepEqual(claims, ['claimed', 'interrupted', 'interrupted', 'interrupted'])
  }
})

test('the same step twice in one batch is claimed once', async () => {
  const key = await recordOne(database)
  assert.deepEqual(await claimSteps(database, [key, key, key]), ['claimed', 'recorded', 'recorded'])
})

test('a released claim can be claimed again, and only then', async () => {
  const key = await recordOne(database)
  await claimSteps(database, [key])
  assert.deepEqual(await claimSteps(database, [key]), ['interrupted'])
  await unclaimSteps(database, [key])
  assert.deepEqual(await claimSteps(database, [key]), ['claimed'])
})

test('releasing a claim affects no other step or try of the message', async () => {
  const key = await recordOne(database)
  await claimSteps(database, [key])
  await unclaimSteps(database, [
    { ...key, step: 2 },
    { ...key, try: 2 },
  ])
  assert.deepEqual(await claimSteps(database, [key]), ['interrupted'])
})
