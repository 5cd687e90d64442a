import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomes } from '../../../../test/support/carriers/connector.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { acceptedJob, attempt, longStep, routeJob, smsStep } from '../../../../test/support/fixtures.ts'
import { accepting, openRunnerFixtures } from '../../../../test/support/pipeline/runner-fixture.ts'
import { waitFor } from '../../../../test/support/wait.ts'
import { recordAttempts } from '../../../records/attempts/attempts.ts'
import { claimSteps, createClaim } from '../../../records/messages/claim.ts'

const { database } = await createTestDatabase()
const { createRunnerFixture, released, releasedMany, recorded, stateOf } = openRunnerFixtures(database)

test('a step is claimed before it is submitted and recorded before it is done', async () => {
  let stateWhenSubmitted: string | undefined
  const job = await released()
  const { runner, connector } = createRunnerFixture(async () => {
    stateWhenSubmitted = await stateOf(job.msgKey)
    return outcomes.accepted('4711')
  })
  await runner.run('normal', job)
  assert.equal(stateWhenSubmitted, 'claimed')
  assert.deepEqual(await recorded(job.msgKey), ['accepted'])
  const [submission] = connector.submissions
  assert.equal(submission!.reference, `${job.msgKey}-1-1-1`)
  assert.deepEqual([submission!.from, submission!.to], [smsStep.from, job.to])
  assert.ok(submission!.part?.kind === 'text')
  assert.equal(submission!.part.text, smsStep.text)
})

test('outcomes of a congested carrier are recorded and reduce the rate', async () => {
  const jobs = await releasedMany(40)
  const { runner } = createRunnerFixture((_submission, nth) => ({
    ...outcomes.accepted(String(nth)),
    congested: true,
  }))
  assert.equal(runner.rate.value, Infinity)
  await Promise.all(jobs.map((job) => runner.run('normal', job)))
  assert.ok(runner.rate.value < Infinity)
  assert.ok(runner.rate.throttledShare > 0)
})

test('a throttled response pauses the whole route, and the step is submitted again after its claim is returned', async () => {
  const [first, second] = await releasedMany(2)
  const { runner, connector } = createRunnerFixture((_, nth) =>
    nth === 1 ? outcomes.throttled(400) : outcomes.accepted(String(nth)),
  )
  const running = runner.run('normal', first!)
  await waitFor('the claim to be returned', async () => {
    return connector.submissions.length === 1 && (await stateOf(first!.msgKey)) === 'unclaimed'
  })
  await Promise.all([running, runner.run('normal', second!)])
  assert.equal(connector.submissions.length, 3)
  for (const time of connector.times.slice(1)) assert.ok(time - connector.times[0]! >= 380)
  assert.deepEqual(await recorded(first!.msgKey), ['accepted'])
})

test('an unreachable carrier gets the step again once the link is up, after its claim is returned', async () => {
  const job = await released()
  const fixture = createRunnerFixture((_, nth) => {
    if (nth > 1) return outcomes.accepted('1')
    fixture.runner.linked = false
    return outcomes.unreachable()
  })
  const running = fixture.runner.run('normal', job)
  await waitFor('the claim to be returned', async () => {
    return fixture.connector.submissions.length === 1 && (await stateOf(job.msgKey)) === 'unclaimed'
  })
  assert.deepEqual(await recorded(job.msgKey), [])
  fixture.runner.linked = true
  await running
  assert.deepEqual(fixture.connector.references, [`${job.msgKey}-1-1-1`, `${job.msgKey}-1-1-1`])
  assert.deepEqual(await recorded(job.msgKey), ['accepted'])
})

test('a failure that takes the link down costs the step no try', async () => {
  // With this try, five more that counted would return the step.
  const job = { ...(await released()), tries: 1 }
  const fixture = createRunnerFixture((_, nth) => {
    if (nth > 5) return outcomes.accepted('1')
    fixture.runner.linked = false
    return outcomes.unreachable()
  })
  const running = fixture.runner.run('normal', job)
  for (let failures = 1; failures <= 5; failures++) {
    await waitFor('the next submission', () => fixture.connector.submissions.length === failures)
    fixture.runner.linked = true
  }
  await running
  assert.deepEqual([fixture.returned, await recorded(job.msgKey)], [[], ['accepted']])
})

test('a refusal is recorded, published with its cause, and not submitted again', async () => {
  const job = await released()
  const { runner, connector, ended } = createRunnerFixture(() => outcomes.refused())
  await runner.run('normal', job)
  assert.deepEqual(await recorded(job.msgKey), ['refused'])
  assert.equal(ended.length, 1)
  assert.deepEqual([ended[0]!.key.msgKey, ended[0]!.refused.cause], [job.msgKey, 'bad-number'])
  await runner.run('normal', job)
  assert.equal(connector.submissions.length, 1)
})

test('an unknown outcome is recorded, waits for its receipt, and is never submitted again', async () => {
  const job = await released()
  const { runner, connector, ended } = createRunnerFixture(() => outcomes.unknown())
  await runner.run('normal', job)
  assert.deepEqual(await recorded(job.msgKey), ['unknown'])
  await runner.run('normal', job)
  await createRunnerFixture(accepting).runner.run('normal', job)
  assert.equal(connector.submissions.length, 1)
  assert.deepEqual(ended, [])
  assert.equal(await stateOf(job.msgKey), 'claimed')
})

test('an abandoned claim without an outcome becomes unknown and is not submitted', async () => {
  for (const steps of [undefined, [longStep]]) {
    const job = await released(steps === undefined ? {} : { steps })
    await claimSteps(database, [createClaim(job)])
    const { runner, connector } = createRunnerFixture(accepting)
    await runner.run('normal', job)
    assert.deepEqual(connector.submissions, [])
    assert.deepEqual(await recorded(job.msgKey), steps === undefined ? ['unknown'] : ['unknown', 'unknown'])
  }
})

test('a step whose outcome is recorded is not submitted, and its refusal is published again', async () => {
  const job = await released()
  await claimSteps(database, [createClaim(job)])
  await recordAttempts(database, [attempt(job, { outcome: 'refused', carrierId: null, cause: 'spam' })])
  const { runner, connector, endedAgain } = createRunnerFixture(accepting)
  await runner.run('normal', job)
  assert.deepEqual(connector.submissions, [])
  assert.deepEqual(
    endedAgain.map(({ msgKey }) => msgKey),
    [job.msgKey],
  )
})

test('a message that is closed, or was never recorded, is not submitted', async () => {
  const job = await released()
  await database.query('delete from in_flight where msg_key = $1', [job.msgKey])
  const { runner, connector } = createRunnerFixture(accepting)
  await runner.run('normal', job)
  await runner.run('normal', routeJob(acceptedJob()))
  assert.deepEqual(connector.submissions, [])
})

test('a step past its deadline is never submitted, not even when the deadline passed while it waited', async () => {
  const [late, waiting] = await releasedMany(2)
  const { runner, connector } = createRunnerFixture(accepting)
  await runner.run('normal', { ...late!, dueAt: Date.now() - 1 })
  runner.linked = false
  const dueAt = Date.now() + 30
  const running = runner.run('normal', { ...waiting!, dueAt })
  await waitFor('the deadline', () => Date.now() > dueAt)
  runner.linked = true
  await running
  assert.deepEqual(connector.submissions, [])
  assert.equal(await stateOf(late!.msgKey), 'unclaimed')
})

test('a step whose deadline passes after its claim is not submitted', async () => {
  const [first, second] = await releasedMany(2)
  const response = Promise.withResolvers<undefined>()
  const { runner, connector } = createRunnerFixture(
    async () => {
      await response.promise
      return outcomes.accepted('1')
    },
    { window: 1 },
  )
  const dueAt = Date.now() + 500
  const running = [runner.run('normal', first!), runner.run('normal', { ...second!, dueAt })]
  await waitFor('the claim', async () => (await stateOf(second!.msgKey)) === 'claimed')
  await waitFor('the deadline', () => Date.now() > dueAt)
  response.resolve(undefined)
  await Promise.all(running)
  assert.deepEqual(
    connector.references.map((reference) => reference.split('-')[0]),
    [first!.msgKey],
  )
  assert.equal(
    await stateOf(second!.msgKey),
    'unclaimed',
    'its claim is returned: it was certainly not submitted',
  )
})

test('a copy that arrives while the original is in progress is not submitted', async () => {
  const job = await released()
  const response = Promise.withResolvers<undefined>()
  const { runner, connector } = createRunnerFixture(async () => {
    await response.promise
    return outcomes.accepted('1')
  })
  const running = [runner.run('normal', job), runner.run('normal', job)]
  await waitFor('the submission', () => connector.submissions.length === 1)
  running.push(runner.run('normal', job))
  response.resolve(undefined)
  await Promise.all(running)
  assert.equal(connector.submissions.length, 1)
})

test('two owners that overlap submit a message once', async () => {
  const jobs = await releasedMany(100)
  const owners = [createRunnerFixture(accepting), createRunnerFixture(accepting)]
  await Promise.all(jobs.flatMap((job) => owners.map(({ runner }) => runner.run('normal', job))))
  const references = owners.flatMap(({ connector }) => connector.references)
  assert.equal(references.length, 100)
  assert.equal(new Set(references).size, 100)
  const doubtful = await database.query(
    `select from attempts where outcome = 'unknown' and msg_key = any($1)`,
    [jobs.map((job) => job.msgKey)],
  )
  assert.equal(doubtful.rowCount, 0, 'every response is kept, whichever owner came second')
})

test('only parts that were not accepted are submitted again', async () => {
  const job = await released({ steps: [longStep] })
  const { runner, connector } = createRunnerFixture((submission, nth) =>
    submission.part?.part === 2 && nth <= 2 ? outcomes.throttled(10) : outcomes.accepted(String(nth)),
  )
  await runner.run('normal', job)
  assert.deepEqual(
    connector.submissions.map(({ part }) => part?.part),
    [1, 2, 2],
  )
  assert.deepEqual(await recorded(job.msgKey), ['accepted', 'accepted'])
})

test('unrecorded parts become unknown and are not resubmitted after the owner dies', async () => {
  const job = await released({ steps: [longStep] })
  await claimSteps(database, [createClaim(job)])
  await recordAttempts(database, [attempt(job, { part: 1, parts: 2 })])
  const { runner, connector } = createRunnerFixture(accepting)
  await runner.run('normal', job)
  assert.deepEqual(connector.submissions, [])
  assert.deepEqual(await recorded(job.msgKey), ['accepted', 'unknown'])
})

test('one refused part of several ends the step', async () => {
  const job = await released({ steps: [longStep] })
  const { runner, ended } = createRunnerFixture(({ part }) =>
    part?.part === 2 ? outcomes.refused() : outcomes.accepted('1'),
  )
  await runner.run('normal', job)
  assert.deepEqual(await recorded(job.msgKey), ['accepted', 'refused'])
  assert.deepEqual([ended.length, ended[0]!.refused.parts], [1, 2])
})

test('a refusal that an interrupted previous owner records late is found and published', async () => {
  const job = await released()
  await claimSteps(database, [createClaim(job)])
  const { runner, endedAgain } = createRunnerFixture(accepting)
  await runner.run('normal', job)
  assert.deepEqual(await recorded(job.msgKey), ['unknown'])
  await recordAttempts(database, [attempt(job, { outcome: 'refused', carrierId: null, cause: 'spam' })])
  await waitFor('the refusal to be published', () => endedAgain.some(({ msgKey }) => msgKey === job.msgKey))
})
