/** The runner of a route: every answer has its consequence, and nothing is ever submitted twice blindly. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestBroker } from '../../test/support/broker.ts'
import { outcomes, ScriptedConnector, type Script } from '../../test/support/connector.ts'
import { createTestDatabase } from '../../test/support/database.ts'
import {
  acceptedJob,
  acceptedJobs,
  attempt,
  inAnHour,
  longStep,
  recordJobs,
  routeId,
  routeJob,
} from '../../test/support/fixtures.ts'
import { quietLog, testMetrics } from '../../test/support/quiet.ts'
import { isSettled, waitFor } from '../../test/support/wait.ts'
import { recordAttempts, type Refusal } from '../messages/attempts.ts'
import { claimSteps, type StepKey } from '../messages/claim.ts'
import type { AcceptedJob, RouteJob } from '../messages/jobs.ts'
import type { Route } from '../routes/route.ts'
import { openBooks } from './books.ts'
import { Link } from './link.ts'
import { RouteRunner } from './runner.ts'

const { database } = await createTestDatabase()
const metrics = testMetrics()
const books = openBooks(database, metrics, quietLog)

interface Settings {
  readonly window?: number
  readonly partsPerSecond?: number
}

function createStage(script: Script, { window = 10, partsPerSecond = 0 }: Settings = {}) {
  const connector = new ScriptedConnector(script, window)
  const link = new Link()
  link.set(true)
  const stopping = new AbortController()
  const concluded: { key: StepKey; refused: Refusal }[] = []
  const concludedAgain: StepKey[] = []
  const route: Route = {
    id: routeId,
    channels: ['sms', 'international'],
    protocol: 'scripted',
    options: {},
    priority: 100,
    partsPerSecond,
    enabled: true,
  }
  const runner = new RouteRunner({
    route,
    connector,
    link,
    books,
    metrics,
    conclude: (key, refused) => {
      concluded.push({ key, refused })
      return Promise.resolve()
    },
    concludeAgain: (key) => {
      concludedAgain.push(key)
      return Promise.resolve()
    },
    signal: stopping.signal,
  })
  return { connector, link, stopping, concluded, concludedAgain, runner }
}

const always =
  (...answers: Parameters<typeof outcomes.accepted>): Script =>
  () =>
    outcomes.accepted(answers[0])
const accepting: Script = (submission) => outcomes.accepted(`id-${submission.reference}`)

async function released(overrides: Partial<AcceptedJob> = {}): Promise<RouteJob> {
  const job = acceptedJob(overrides)
  await recordJobs(database, [job], inAnHour())
  return routeJob(job)
}

async function releasedMany(count: number, overrides: Partial<AcceptedJob> = {}): Promise<RouteJob[]> {
  const jobs = acceptedJobs(count, overrides)
  await recordJobs(database, jobs)
  return jobs.map((job) => routeJob(job))
}

/** Outcomes by part. */
async function recorded(msgKey: string): Promise<string[]> {
  const found = await database.query<{ outcome: string }>(
    'select outcome from attempts where msg_key = $1 order by part',
    [msgKey],
  )
  return found.rows.map((row) => row.outcome)
}

async function stateOf(msgKey: string): Promise<string | undefined> {
  const found = await database.query<{ state: string }>('select state from in_flight where msg_key = $1', [
    msgKey,
  ])
  return found.rows[0]?.state
}

test('a step is claimed before it is submitted and recorded before it is done', async () => {
  let stateWhenSubmitted: string | undefined
  const job = await released()
  const { runner, connector } = createStage(async () => {
    stateWhenSubmitted = await stateOf(job.msgKey)
    return outcomes.accepted('4711')
  })
  await runner.run(job)
  assert.equal(stateWhenSubmitted, 'submitting')
  assert.deepEqual(await recorded(job.msgKey), ['accepted'])
  const [submission] = connector.submissions
  assert.equal(submission!.reference, `${job.msgKey}-1-1-1`)
  assert.deepEqual([submission!.from, submission!.to], [job.content.from, job.to])
  assert.equal(submission!.content.text, job.content.text)
})

test('throttled: the whole route rests, the step is given back meanwhile and goes again', async () => {
  const [first, second] = await releasedMany(2)
  const { runner, connector } = createStage((_, nth) =>
    nth === 1 ? outcomes.throttled(400) : outcomes.accepted(String(nth)),
  )
  const running = runner.run(first!)
  await waitFor('the claim to be given back', async () => {
    return connector.submissions.length === 1 && (await stateOf(first!.msgKey)) === 'released'
  })
  await Promise.all([running, runner.run(second!)])
  assert.equal(connector.submissions.length, 3)
  for (const time of connector.times.slice(1)) assert.ok(time - connector.times[0]! >= 380)
  assert.deepEqual(await recorded(first!.msgKey), ['accepted'])
})

test('unreachable: given back, and submitted again once the link is up', async () => {
  const job = await released()
  const stage = createStage((_, nth) => {
    if (nth > 1) return outcomes.accepted('1')
    stage.link.set(false)
    return outcomes.unreachable()
  })
  const running = stage.runner.run(job)
  await waitFor('the claim to be given back', async () => {
    return stage.connector.submissions.length === 1 && (await stateOf(job.msgKey)) === 'released'
  })
  assert.deepEqual(await recorded(job.msgKey), [])
  stage.link.set(true)
  await running
  assert.deepEqual(stage.connector.references, [`${job.msgKey}-1-1-1`, `${job.msgKey}-1-1-1`])
  assert.deepEqual(await recorded(job.msgKey), ['accepted'])
})

test('refused: recorded, handed on with its cause, and not submitted again', async () => {
  const job = await released()
  const { runner, connector, concluded } = createStage(() => outcomes.refused())
  await runner.run(job)
  assert.deepEqual(await recorded(job.msgKey), ['refused'])
  assert.equal(concluded.length, 1)
  assert.deepEqual([concluded[0]!.key.msgKey, concluded[0]!.refused.cause], [job.msgKey, 'bad-number'])
  await runner.run(job)
  assert.equal(connector.submissions.length, 1)
})

test('unknown: recorded, waits for its receipt, and never submitted again', async () => {
  const job = await released()
  const { runner, connector, concluded } = createStage(() => outcomes.unknown())
  await runner.run(job)
  assert.deepEqual(await recorded(job.msgKey), ['unknown'])
  await runner.run(job)
  await createStage(accepting).runner.run(job)
  assert.equal(connector.submissions.length, 1)
  assert.deepEqual(concluded, [])
  assert.equal(await stateOf(job.msgKey), 'submitting')
})

test('a claim that somebody left without an outcome becomes unknown and is not submitted', async () => {
  for (const steps of [undefined, [longStep]]) {
    const job = await released(steps === undefined ? {} : { steps })
    await claimSteps(database, [job])
    const { runner, connector } = createStage(accepting)
    await runner.run(job)
    assert.deepEqual(connector.submissions, [])
    assert.deepEqual(await recorded(job.msgKey), steps === undefined ? ['unknown'] : ['unknown', 'unknown'])
  }
})

test('a step whose outcome is recorded is not submitted, and its refusal is handed on again', async () => {
  const job = await released()
  await claimSteps(database, [job])
  await recordAttempts(database, [attempt(job, { outcome: 'refused', carrierId: null, cause: 'spam' })])
  const { runner, connector, concludedAgain } = createStage(accepting)
  await runner.run(job)
  assert.deepEqual(connector.submissions, [])
  assert.deepEqual(
    concludedAgain.map(({ msgKey }) => msgKey),
    [job.msgKey],
  )
})

test('a message that is closed, or was never recorded, is not submitted', async () => {
  const job = await released()
  await database.query('delete from in_flight where msg_key = $1', [job.msgKey])
  const { runner, connector } = createStage(accepting)
  await runner.run(job)
  await runner.run(routeJob(acceptedJob()))
  assert.deepEqual(connector.submissions, [])
})

test('a step past its deadline is never submitted, not even when the deadline passed while it waited', async () => {
  const [late, waiting] = await releasedMany(2)
  const { runner, connector, link } = createStage(accepting)
  await runner.run({ ...late!, dueAt: Date.now() - 1 })
  link.set(false)
  const dueAt = Date.now() + 30
  const running = runner.run({ ...waiting!, dueAt })
  await waitFor('the deadline', () => Date.now() > dueAt)
  link.set(true)
  await running
  assert.deepEqual(connector.submissions, [])
  assert.equal(await stateOf(late!.msgKey), 'released')
})

test('a copy that comes while the original is in hand is not submitted', async () => {
  const job = await released()
  const answer = Promise.withResolvers<undefined>()
  const { runner, connector } = createStage(async () => {
    await answer.promise
    return outcomes.accepted('1')
  })
  const running = [runner.run(job), runner.run(job)]
  await waitFor('the submission', () => connector.submissions.length === 1)
  running.push(runner.run(job))
  answer.resolve(undefined)
  await Promise.all(running)
  assert.equal(connector.submissions.length, 1)
})

test('two owners that overlap submit a message once', async () => {
  const jobs = await releasedMany(100)
  const [one, two] = [createStage(accepting), createStage(accepting)]
  await Promise.all(jobs.flatMap((job) => [one.runner.run(job), two.runner.run(job)]))
  const references = [...one.connector.references, ...two.connector.references]
  assert.equal(references.length, 100)
  assert.equal(new Set(references).size, 100)
  const doubtful = await database.query(
    `select from attempts where outcome = 'unknown' and msg_key = any($1)`,
    [jobs.map((job) => job.msgKey)],
  )
  assert.equal(doubtful.rowCount, 0, 'every answer is kept, whoever was the second to come')
})

test('of several parts only those that were not taken go again', async () => {
  const job = await released({ steps: [longStep] })
  const { runner, connector } = createStage((submission, nth) =>
    submission.content.part === 2 && nth <= 2 ? outcomes.throttled(10) : outcomes.accepted(String(nth)),
  )
  await runner.run(job)
  assert.deepEqual(
    connector.submissions.map(({ content }) => content.part),
    [1, 2, 2],
  )
  assert.deepEqual(await recorded(job.msgKey), ['accepted', 'accepted'])
})

test('a message half of which is recorded when its owner dies is not submitted again; the other half is unknown', async () => {
  const job = await released({ steps: [longStep] })
  await claimSteps(database, [job])
  await recordAttempts(database, [attempt(job, { part: 1, parts: 2 })])
  const { runner, connector } = createStage(accepting)
  await runner.run(job)
  assert.deepEqual(connector.submissions, [])
  assert.deepEqual(await recorded(job.msgKey), ['accepted', 'unknown'])
})

test('one refused part of several concludes the step', async () => {
  const job = await released({ steps: [longStep] })
  const { runner, concluded } = createStage(({ content }) =>
    content.part === 2 ? outcomes.refused() : outcomes.accepted('1'),
  )
  await runner.run(job)
  assert.deepEqual(await recorded(job.msgKey), ['accepted', 'refused'])
  assert.deepEqual([concluded.length, concluded[0]!.refused.parts], [1, 2])
})

test('never has more submissions open than the window of the carrier', async () => {
  const jobs = [...(await releasedMany(60)), ...(await releasedMany(20, { steps: [longStep] }))]
  const { runner, connector } = createStage(
    async (submission) => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      return accepting(submission, 0)
    },
    { window: 7 },
  )
  await Promise.all(jobs.map((job) => runner.run(job)))
  assert.equal(connector.submissions.length, 100)
  assert.equal(connector.mostOpen, 7)
})

test('a message of more parts than the window still goes', async () => {
  const job = await released({ steps: [{ ...longStep, text: 'a'.repeat(760) }] })
  const { runner, connector } = createStage(accepting, { window: 1 })
  await runner.run(job)
  assert.equal(connector.submissions.length, 5)
  assert.equal(connector.mostOpen, 1)
})

test('holds the rate of the route', async () => {
  const jobs = await releasedMany(80)
  const { runner, connector } = createStage(always('1'), { window: 100, partsPerSecond: 100 })
  const started = performance.now()
  await Promise.all(jobs.map((job) => runner.run(job)))
  assert.ok(performance.now() - started >= 650)
  for (const from of connector.times) {
    const within = connector.times.filter((time) => time >= from && time < from + 200).length
    // Twenty are due in that time; the rest is what may be run ahead, and a slow machine.
    assert.ok(within <= 50, `${within} in a fifth of a second`)
  }
})

test('stopping gives back what was not claimed and finishes what was', async () => {
  const testBroker = await createTestBroker()
  const { broker, topology } = testBroker
  const lane = topology.lane(routeId, 'normal')
  await broker.declare([lane])
  const answer = Promise.withResolvers<undefined>()
  const { runner, connector, stopping } = createStage(
    async () => {
      await answer.promise
      return outcomes.accepted('1')
    },
    { window: 1 },
  )
  const jobs = await releasedMany(6)
  for (const job of jobs) await broker.publisher.send(lane, JSON.stringify(job))
  const consumption = broker.consume(lane, { prefetch: 6 }, async ({ jobs: group }) => {
    await Promise.all((group as RouteJob[]).map((job) => runner.run(job)))
  })
  // The window of one lets two be claimed: one submitted, one ready.
  await waitFor('two claims', async () => {
    const claimed = await database.query(
      `select from in_flight where state = 'submitting' and msg_key = any($1)`,
      [jobs.map((job) => job.msgKey)],
    )
    return claimed.rowCount === 2
  })
  stopping.abort(new Error('stopping'))
  const stopped = consumption.stop()
  assert.equal(await isSettled(stopped), false)
  answer.resolve(undefined)
  await stopped
  assert.equal(connector.submissions.length, 2)
  await waitFor('the others to be back', async () => (await broker.depth(lane)) === 4)
  const states = await Promise.all(jobs.map((job) => stateOf(job.msgKey)))
  assert.equal(states.filter((state) => state === 'released').length, 4)
  const answers = (await Promise.all(jobs.map((job) => recorded(job.msgKey)))).flat()
  assert.deepEqual(answers, ['accepted', 'accepted'])
})

test('a step given back after a stop is submitted by the next owner, once', async () => {
  const jobs = await releasedMany(10)
  const first = createStage(accepting)
  first.link.set(false)
  const runs = jobs.map((job) => first.runner.run(job))
  first.stopping.abort(new Error('stopping'))
  for (const run of runs) await assert.rejects(run, /stopping/)
  const second = createStage(accepting)
  await Promise.all(jobs.map((job) => second.runner.run(job)))
  assert.equal(first.connector.submissions.length, 0)
  assert.equal(second.connector.submissions.length, 10)
})
