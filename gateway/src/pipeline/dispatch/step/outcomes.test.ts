import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outcomes } from '../../../../test/support/carriers/connector.ts'
import { acceptedJob, longStep, routeJob } from '../../../../test/support/fixtures.ts'
import { sortOutcomes, toAttempt, unknownAttempts, type RecordedOutcome } from './outcomes.ts'
import { toParts } from './submission.ts'

const job = routeJob(acceptedJob({ steps: [{ ...longStep, text: 'a'.repeat(700) }] }))
const parts = toParts(job, 'parts')
const at = new Date()

test('outcomes are recorded, unaccepted parts are resubmitted, and the longest pause counts', () => {
  const submitOutcomes = [
    outcomes.accepted('1'),
    outcomes.throttled(50),
    outcomes.refused(),
    outcomes.throttled(20),
    outcomes.unknown(),
  ]
  const sorted = sortOutcomes(parts, submitOutcomes)
  assert.deepEqual(
    sorted.recorded.map(({ part, outcome }) => [part.part, outcome.kind]),
    [
      [1, 'accepted'],
      [3, 'refused'],
      [5, 'unknown'],
    ],
  )
  assert.deepEqual(
    sorted.unaccepted.map(({ part }) => part),
    [2, 4],
  )
  assert.equal(sorted.pauseMs, 50)
})

test('an unreachable part is submitted again without a pause for the others', () => {
  const sorted = sortOutcomes(parts.slice(0, 1), [outcomes.unreachable()])
  assert.deepEqual([sorted.unaccepted.length, sorted.pauseMs], [1, 0])
})

test('an unknown part is never submitted again', () => {
  assert.deepEqual(sortOutcomes(parts.slice(0, 1), [outcomes.unknown()]).unaccepted, [])
})

test('an attempt contains the response of the carrier', () => {
  const row = (recorded: RecordedOutcome) => {
    const { outcome, carrierId, code, cause, part } = toAttempt(
      job,
      { routeId: 'north' },
      parts[1]!,
      recorded,
      at,
    )
    return { outcome, carrierId, code, cause, part }
  }
  assert.deepEqual(row(outcomes.accepted('4711') as RecordedOutcome), {
    outcome: 'accepted',
    carrierId: '4711',
    code: null,
    cause: null,
    part: 2,
  })
  assert.deepEqual(row(outcomes.refused() as RecordedOutcome), {
    outcome: 'refused',
    carrierId: null,
    code: '0000000b',
    cause: 'bad-number',
    part: 2,
  })
  assert.deepEqual(row(outcomes.unknown() as RecordedOutcome), {
    outcome: 'unknown',
    carrierId: null,
    code: 'timeout',
    cause: null,
    part: 2,
  })
})

test('an interrupted step leaves every part unknown', () => {
  const rows = unknownAttempts(job, { routeId: 'north' }, parts, at)
  assert.equal(rows.length, 5)
  for (const row of rows) assert.deepEqual([row.outcome, row.code], ['unknown', 'interrupted'])
})
