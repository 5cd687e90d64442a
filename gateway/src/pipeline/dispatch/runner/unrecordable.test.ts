import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomes } from '../../../../test/support/carriers/connector.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { longStep, receipt } from '../../../../test/support/fixtures.ts'
import { openRunnerFixtures } from '../../../../test/support/pipeline/runner-fixture.ts'
import { silentLog, testMetrics } from '../../../../test/support/silent-log.ts'
import { matchScope } from '../../../../test/support/pipeline/settle-scope.ts'
import type { AttemptRow } from '../../../records/attempts/attempts.ts'
import { matchUnknown } from '../../../records/attempts/match.ts'
import { createClaim } from '../../../records/messages/claim.ts'
import { createAttemptWriter } from './attempt-writer.ts'

const { database } = await createTestDatabase()
const { createRunnerFixture, releasedMany, released, recorded } = openRunnerFixtures(database)
const { signal } = new AbortController()
const dayMs = 86_400_000

// Ids are limited when they are read; here PostgreSQL refuses other values by code.
await database.query(`create function refuse_attempt() returns trigger language plpgsql as $$
  begin
    raise exception 'refused by the test' using errcode = substr(new.carrier_id, 8, 5);
  end $$`)
await database.query(`create trigger refuse before insert on attempts for each row
  when (new.carrier_id like 'refuse-%') execute function refuse_attempt()`)

async function readAttempt(msgKey: string): Promise<Record<string, unknown> | undefined> {
  const found = await database.query<Record<string, unknown>>(
    'select outcome, carrier_id, outcome_code, held_ms from attempts where msg_key = $1 order by part',
    [msgKey],
  )
  return found.rows[0]
}

test('a message that was scheduled 60 days ahead is recorded with the time it waited', async () => {
  const [scheduled, ...others] = await releasedMany(20)
  const now = Date.now()
  const waited = { ...scheduled!, heldAt: now - 60 * dayMs, heldWhy: 'scheduled' as const, releasedAt: now }
  const { runner, connector } = createRunnerFixture(({ reference }) => outcomes.accepted(reference), {
    window: 20,
  })
  await Promise.all([waited, ...others].map((job) => runner.run('normal', job)))
  assert.equal(connector.submissions.length, 20)
  const attempt = await readAttempt(scheduled!.msgKey)
  assert.deepEqual([attempt?.outcome, attempt?.held_ms], ['accepted', 60 * dayMs])
  for (const { msgKey } of others) assert.deepEqual(await recorded(msgKey), ['accepted'])
})

for (const [code, to] of [
  ['22021', '01055556666'],
  ['54000', '01055557777'],
] as const) {
  test(`an id refused with ${code} is recorded as unknown, and the others of its batch as they are`, async () => {
    const jobs = await releasedMany(40, { to })
    const carrierId = `refuse-${code}`
    const bad = jobs[17]!
    const { runner, connector } = createRunnerFixture(
      ({ reference }) => outcomes.accepted(reference.startsWith(bad.msgKey) ? carrierId : reference),
      { window: 40 },
    )
    await Promise.all(jobs.map((job) => runner.run('normal', job)))
    for (const job of jobs) {
      const attempt = await readAttempt(job.msgKey)
      if (job === bad) {
        assert.deepEqual(
          [attempt?.outcome, attempt?.carrier_id, attempt?.outcome_code],
          ['unknown', null, 'unrecordable'],
        )
      } else assert.equal(attempt?.outcome, 'accepted')
    }
    // The receipt matches by recipient, and a redelivered job does not submit the step again.
    const [match] = await matchUnknown(
      database,
      [receipt({ carrierId: 'whatever', recipient: to })],
      matchScope(),
    )
    assert.equal(match?.msgKey, bad.msgKey)
    await createRunnerFixture(({ reference }) => outcomes.accepted(reference)).runner.run('normal', bad)
    assert.equal(connector.submissions.length, 40)
  })
}

test('only the part that cannot be recorded becomes unknown', async () => {
  const job = await released({ steps: [longStep] })
  const { runner } = createRunnerFixture(({ part, reference }) =>
    outcomes.accepted(part?.part === 1 ? 'refuse-54000' : reference),
  )
  await runner.run('normal', job)
  assert.deepEqual(await recorded(job.msgKey), ['unknown', 'accepted'])
})

test('a refusal whose code cannot be recorded is still a refusal', async () => {
  const job = await released()
  const { runner, ended } = createRunnerFixture(() => ({
    kind: 'refused',
    cause: 'bad-number',
    code: 'a\u0000b',
    text: 'invalid destination address',
  }))
  await runner.run('normal', job)
  const found = await readAttempt(job.msgKey)
  assert.deepEqual([found?.outcome, found?.outcome_code], ['refused', 'unrecordable'])
  assert.deepEqual(
    ended.map(({ refused }) => refused.cause),
    ['bad-number'],
  )
})

test('a claim that cannot be written rejects its own caller only', async () => {
  const attemptWriter = createAttemptWriter(database, testMetrics(), silentLog)
  const jobs = await releasedMany(20)
  const bad = { ...jobs[0]!, step: 70_000 }
  const claims = await Promise.allSettled(
    [jobs[1]!, bad, ...jobs.slice(2)].map((job) => attemptWriter.claim(createClaim(job), signal)),
  )
  assert.deepEqual(
    claims.map((claim) => (claim.status === 'fulfilled' ? claim.value : (claim.reason as AttemptRow).code)),
    ['claimed', '22003', ...jobs.slice(2).map(() => 'claimed')],
  )
})
