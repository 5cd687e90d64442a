/**
 * A claim that PostgreSQL commits after its owner has abandoned it: the statement waited there, or its bytes
 * arrived late. The step was never submitted, so the next owner submits it, once, instead of recording it as
 * unknown.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomes } from '../../../../test/support/carriers/connector.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { waitsForLock } from '../../../../test/support/engines/lock-wait.ts'
import { accepting, openRunnerFixtures } from '../../../../test/support/pipeline/runner-fixture.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import type { RouteJob } from '../../../jobs/jobs.ts'
import { claimSteps, createClaim, returnClaims, type StepClaim } from '../../../records/messages/claim.ts'

const { database } = await createTestDatabase()
const { createRunnerFixture, released, recorded, stateOf } = openRunnerFixtures(database)

async function createAbandonedClaim(): Promise<{
  readonly job: RouteJob
  readonly claim: StepClaim
  readonly named: RouteJob
}> {
  const job = await released()
  const claim = createClaim(job)
  return { job, claim, named: { ...job, unsubmittedClaim: claim.token } }
}

const isFenced = async ({ msgKey, token }: StepClaim): Promise<boolean> => {
  const found = await database.query(
    'select from in_flight where msg_key = $1 and $2 = any (fenced_tokens)',
    [msgKey, token],
  )
  return found.rowCount === 1
}

test('a claim whose statement arrives while the step waits for its turn is not granted', async () => {
  const { claim, named } = await createAbandonedClaim()
  const { runner, connector } = createRunnerFixture(accepting)
  runner.linked = false
  const running = runner.run('normal', named)
  await waitFor('the return of the claim', () => isFenced(claim))
  assert.deepEqual(await claimSteps(database, [claim]), ['stale'])
  runner.linked = true
  await running
  assert.equal(connector.submissions.length, 1)
  assert.deepEqual(await recorded(claim.msgKey), ['accepted'])
})

test('a claim whose statement is not committed yet is waited for and returned', async () => {
  const { claim, named } = await createAbandonedClaim()
  const previous = await database.connect()
  const { runner, connector } = createRunnerFixture(accepting)
  try {
    await previous.query('begin')
    assert.deepEqual(await claimSteps(previous, [claim]), ['claimed'])
    const running = runner.run('normal', named)
    await waitFor('the wait for its row', () => waitsForLock(database, 'set fenced_token'))
    await previous.query('commit')
    await running
  } finally {
    previous.release()
  }
  assert.equal(connector.submissions.length, 1)
  assert.deepEqual(await recorded(claim.msgKey), ['accepted'])
})

test('a late claim is not granted after other claims were returned, nor to another copy', async () => {
  const { job, claim, named } = await createAbandonedClaim()
  const { runner, returned } = createRunnerFixture(() => outcomes.unreachable())
  // After the sixth failure at a route the step is returned.
  await runner.run('normal', { ...named, tries: 5 })
  assert.equal(returned.length, 1)
  assert.equal(await stateOf(claim.msgKey), 'unclaimed')
  assert.deepEqual(await claimSteps(database, [claim]), ['stale'])
  // The step waited in a table, which does not know the claim.
  const next = createRunnerFixture(accepting)
  await Promise.all([job, named, job].map((copy) => next.runner.run('normal', copy)))
  assert.equal(next.connector.submissions.length, 1)
  assert.deepEqual(await recorded(claim.msgKey), ['accepted'])
})

test('no abandoned claim is granted, whether returned one by one or together', async () => {
  const job = await released()
  const claims = Array.from({ length: 4 }, () => createClaim(job))
  await returnClaims(database, [claims[0]!])
  await returnClaims(database, [claims[1]!])
  // Repeated, because its response was lost.
  for (let n = 0; n < 10; n += 1) await returnClaims(database, claims.slice(2))
  for (const claim of claims) assert.deepEqual(await claimSteps(database, [claim]), ['stale'])
  assert.deepEqual(await claimSteps(database, [createClaim(job)]), ['claimed'])
})

test('one of two owners submits while the claim of a third commits', async () => {
  const { job, claim, named } = await createAbandonedClaim()
  const owners = [createRunnerFixture(accepting), createRunnerFixture(accepting)]
  await Promise.all([
    owners[0]!.runner.run('normal', named),
    owners[1]!.runner.run('normal', job),
    claimSteps(database, [claim]),
  ])
  const submitted = owners.flatMap(({ connector }) => connector.submissions)
  assert.ok(submitted.length <= 1)
  assert.equal((await recorded(claim.msgKey)).length, 1)
})
