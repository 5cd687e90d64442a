/**
 * Unknown submissions are repeated at a carrier that recognizes their reference, and at no other. In the model, whatever the
 * network loses, a message is delivered at most once, and a lost response is known as soon as one repeat arrives.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { outcomes } from '../../../../test/support/carriers/connector.ts'
import { jumpClockAhead } from '../../../../test/support/pipeline/clock-jump.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { longStep, routeId } from '../../../../test/support/fixtures.ts'
import { openRunnerFixtures } from '../../../../test/support/pipeline/runner-fixture.ts'
import { sumCounter } from '../../../../test/support/silent-log.ts'
import { isSettled, waitFor } from '../../../../test/support/wait.ts'
import type { SubmitOutcome } from '../../../carriers/connectors/connector.ts'
import { claimSteps, createClaim } from '../../../records/messages/claim.ts'
import { maxRepeatedSubmissions, maxThrottled, maxUnreachable, submitRepeatably } from './repeat-unknown.ts'

const { database } = await createTestDatabase()
const { createRunnerFixture, released, recorded, metrics } = openRunnerFixtures(database)

/** Fate of one submission on its way: the request or its response may be lost. */
const fate = fc.constantFrom(
  'arrives',
  'request-lost',
  'response-lost',
  'unreachable',
  'throttled',
  'refused-once',
)
type Fate = 'arrives' | 'request-lost' | 'response-lost' | 'unreachable' | 'throttled' | 'refused-once'

const immediately = { firstMs: 0, maxMs: 0 }
const unpaced = { takeTurn: () => Promise.resolve(true), onThrottled: () => undefined }
const inAnHour = { validUntil: new Date(Date.now() + 3_600_000) }

function carrier(fates: readonly Fate[]) {
  const delivered: string[] = []
  const known = new Set<string>()
  let submissions = 0
  const accept = (reference: string): SubmitOutcome => {
    if (!known.has(reference)) delivered.push(reference)
    known.add(reference)
    return outcomes.accepted(`id-${reference}`)
  }
  return {
    delivered,
    get submissions() {
      return submissions
    },
    submit(reference: string): Promise<SubmitOutcome> {
      const fateNow = fates[submissions++] ?? 'arrives'
      switch (fateNow) {
        case 'arrives':
          return Promise.resolve(accept(reference))
        case 'response-lost':
          accept(reference)
          return Promise.resolve(outcomes.unknown())
        case 'request-lost':
          return Promise.resolve(outcomes.unknown())
        case 'unreachable':
          return Promise.resolve(outcomes.unreachable())
        case 'throttled':
          return Promise.resolve(outcomes.throttled(1))
        case 'refused-once':
          return Promise.resolve(outcomes.refused())
      }
    },
  }
}

test('repeats deliver nothing twice and yield no wrong outcome if references are recognized', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fate, { maxLength: 6 }), async (fates) => {
      const peer = carrier(fates)
      const outcome = await submitRepeatably(() => peer.submit('r'), inAnHour, {
        signal: new AbortController().signal,
        onRepeat: () => undefined,
        ...unpaced,
        backoff: immediately,
      })
      assert.ok(peer.delivered.length <= 1)
      const uncounted = fates.filter((drawn) => drawn === 'throttled' || drawn === 'unreachable')
      assert.ok(peer.submissions <= maxRepeatedSubmissions + uncounted.length)
      if (outcome.kind === 'accepted') assert.equal(peer.delivered.length, 1)
      // After any other outcome dispatch may send the message over another route.
      else if (outcome.kind !== 'unknown') assert.deepEqual([peer.delivered.length, peer.submissions], [0, 1])
    }),
  )
})

test('a route that stops, and a message past its deadline, are not repeated', async () => {
  const stopping = new AbortController()
  const slow = { firstMs: 60_000, maxMs: 60_000 }
  const peer = carrier(['response-lost'])
  const repeated = { ...unpaced, onRepeat: () => assert.fail('it was repeated'), signal: stopping.signal }
  const outcome = submitRepeatably(() => peer.submit('r'), inAnHour, { ...repeated, backoff: slow })
  stopping.abort()
  assert.equal((await outcome).kind, 'unknown')
  const expired = { validUntil: new Date(Date.now() - 1) }
  const late = await submitRepeatably(() => carrier(['response-lost']).submit('r'), expired, {
    ...repeated,
    signal: new AbortController().signal,
    backoff: immediately,
  })
  assert.equal(late.kind, 'unknown')
})

test('the runner repeats an unknown submission only if the connector allows it', async () => {
  const script = (_: unknown, nth: number) => (nth === 1 ? outcomes.unknown() : outcomes.accepted('id'))
  const [there, elsewhere] = [await released(), await released()]
  const repeating = createRunnerFixture(script, { repeatable: true })
  await repeating.runner.run('normal', there)
  assert.equal(repeating.connector.references.length, 2)
  assert.equal(new Set(repeating.connector.references).size, 1)
  assert.deepEqual(await recorded(there.msgKey), ['accepted'])

  const other = createRunnerFixture(script)
  await other.runner.run('normal', elsewhere)
  assert.equal(other.connector.submissions.length, 1)
  assert.deepEqual(await recorded(elsewhere.msgKey), ['unknown'])
})

test('repeats stay within the rate of the route and their outcomes count', async () => {
  const job = await released({ steps: [{ ...longStep, text: 'a'.repeat(1_500) }] })
  const accepted = await sumCounter(metrics.outcomes, { outcome: 'accepted' })
  const unknown = await sumCounter(metrics.outcomes, { outcome: 'unknown' })
  const { runner, connector } = createRunnerFixture(
    (_, nth) => (nth <= 10 ? outcomes.unknown() : outcomes.accepted(`id-${nth}`)),
    { repeatable: true, partsPerSecond: 20 },
  )
  await runner.run('normal', job)
  assert.deepEqual(await recorded(job.msgKey), Array(10).fill('accepted'))
  const { times } = connector
  assert.equal(times.length, 20)
  // The parts of the message are admitted together; all 20 submissions take a second, less the burst.
  const tookMs = times.at(-1)! - times[0]!
  assert.ok(tookMs >= 800, `20 submissions at 20 parts per second took ${tookMs} ms`)
  assert.equal((await sumCounter(metrics.outcomes, { outcome: 'unknown' })) - unknown, 10)
  assert.equal((await sumCounter(metrics.outcomes, { outcome: 'accepted' })) - accepted, 10)
})

test('a throttled repeat pauses the whole route as long as requested', async () => {
  const [first, second] = [await released(), await released()]
  const { runner, connector, stopping } = createRunnerFixture(
    (_, nth) =>
      nth === 1 ? outcomes.unknown() : nth === 2 ? outcomes.throttled(60_000) : outcomes.accepted('id'),
    { repeatable: true },
  )
  const running = runner.run('normal', first)
  await waitFor('the pause after the repeat', () => runner.pauseMs > 0)
  const next = runner.run('normal', second)
  assert.equal(await isSettled(next), false)
  assert.equal(connector.submissions.length, 2)
  stopping.abort(new Error('stopping'))
  await assert.rejects(next, /stopping/)
  await running
  // The first submission may have been accepted.
  assert.deepEqual(await recorded(first.msgKey), ['unknown'])
})

test('a submission of a previous owner is not abandoned after one throttled repeat', async () => {
  const responses = [
    outcomes.throttled(1),
    outcomes.unknown(),
    outcomes.throttled(1),
    outcomes.accepted('id'),
  ]
  const pauses: number[] = []
  const options = {
    signal: new AbortController().signal,
    onRepeat: () => undefined,
    takeTurn: () => Promise.resolve(true),
    onThrottled: (ms: number) => void pauses.push(ms),
    after: { kind: 'unknown', code: 'interrupted', text: '' } as const,
    backoff: immediately,
  }
  const outcome = await submitRepeatably(() => Promise.resolve(responses.shift()!), inAnHour, options)
  assert.deepEqual([outcome.kind, pauses], ['accepted', [1, 1]])
  const always = await submitRepeatably(() => Promise.resolve(outcomes.throttled(1)), inAnHour, options)
  assert.deepEqual([always, pauses.length], [options.after, 2 + maxThrottled + 1])
})

test('a carrier that cannot be reached for a while uses up no repeat', async () => {
  const options = {
    signal: new AbortController().signal,
    onRepeat: () => undefined,
    ...unpaced,
    backoff: immediately,
  }
  const restarting = carrier(['response-lost', ...Array<Fate>(maxUnreachable).fill('unreachable')])
  const outcome = await submitRepeatably(() => restarting.submit('r'), inAnHour, options)
  assert.deepEqual([outcome.kind, restarting.delivered], ['accepted', ['r']])
  const gone = carrier(['response-lost', ...Array<Fate>(100).fill('unreachable')])
  assert.equal((await submitRepeatably(() => gone.submit('r'), inAnHour, options)).kind, 'unknown')
  assert.equal(gone.submissions, 1 + maxUnreachable + 1)
})

test('claims of a previous owner are repeated if the carrier recognizes references', async () => {
  const [there, otherRoute, otherCarrier, refused, otherLogin] = await Promise.all(
    [1, 2, 3, 4, 5].map(() => released()),
  )
  const claims = [
    createClaim(there!, routeId),
    createClaim(otherRoute!, 'another-route'),
    createClaim(otherCarrier!),
    createClaim(refused!, routeId),
    createClaim(otherLogin!, routeId, 'the login of another carrier'),
  ]
  assert.deepEqual(await claimSteps(database, claims), Array(5).fill('claimed'))
  const { runner, connector } = createRunnerFixture(
    ({ reference }) => (reference.startsWith(refused!.msgKey) ? outcomes.refused() : outcomes.accepted('id')),
    { repeatable: true },
  )
  const jobs = [there!, otherRoute!, otherCarrier!, otherLogin!]
  await Promise.all(jobs.map((job) => runner.run('normal', job)))
  assert.deepEqual(connector.references, [`${there!.msgKey}-1-1-1`])
  assert.deepEqual(await Promise.all(jobs.map(({ msgKey }) => recorded(msgKey))), [
    ['accepted'],
    ['unknown'],
    ['unknown'],
    ['unknown'],
  ])
  // The first submission may have been accepted: a refusal of the repeat does not end the step.
  await runner.run('normal', refused!)
  assert.deepEqual(await recorded(refused!.msgKey), ['unknown'])
  // The same claim where the carrier does not recognize it.
  const plain = await released()
  await claimSteps(database, [createClaim(plain, routeId)])
  const other = createRunnerFixture(() => outcomes.accepted('id'))
  await other.runner.run('normal', plain)
  assert.deepEqual([other.connector.submissions, await recorded(plain.msgKey)], [[], ['unknown']])
})

test("an unknown submission is repeated when PostgreSQL's clock jumps ahead", async (t) => {
  jumpClockAhead(t)
  const submitted = [outcomes.unknown(), outcomes.accepted('id')]
  const outcome = await submitRepeatably(() => Promise.resolve(submitted.shift()!), inAnHour, {
    signal: t.signal,
    backoff: immediately,
    onRepeat: () => undefined,
    ...unpaced,
  })
  assert.equal(outcome.kind, 'accepted')
})
