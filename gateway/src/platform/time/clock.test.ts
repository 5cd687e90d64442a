/** The clock follows only the database, not the host's clock or its jumps. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Clock } from './clock.ts'

const databaseAt = Date.UTC(2026, 10, 15, 12)

/** Creates a host whose clock is off by `skewMs` and whose monotonic clock starts at an arbitrary number. */
function createHost(skewMs: number) {
  let elapsed = 0
  let stepped = skewMs
  const sources = { wallMs: () => databaseAt + elapsed + stepped, monotonicMs: () => 5_000.25 + elapsed }
  const clock = new Clock(sources)
  return {
    clock,
    pass: (ms: number) => (elapsed += ms),
    stepWall: (ms: number) => (stepped += ms),
    /**
     * Simulates a response of a database whose clock is off by `offMs`, after a round trip of `roundTripMs`.
     */
    measure(roundTripMs = 2, offMs = 0): number {
      const sentMs = sources.monotonicMs()
      elapsed += roundTripMs / 2
      const databaseMs = databaseAt + elapsed + offMs
      elapsed += roundTripMs / 2
      return clock.follow({ databaseMs, sentMs, receivedMs: sources.monotonicMs() })
    },
    trueMs: () => databaseAt + elapsed,
  }
}

const near = (actual: number, expected: number, withinMs: number): void =>
  assert.ok(Math.abs(actual - expected) <= withinMs, `${actual} is not within ${withinMs} ms of ${expected}`)

test("the host's clock is used before the first measurement", () => {
  const { clock } = createHost(600_000)
  assert.equal(clock.isMeasured, false)
  assert.equal(clock.now(), databaseAt + 600_000)
  assert.deepEqual([clock.skewMs, clock.agrees], [0, true])
})

for (const [description, skewMs] of [
  ['ten minutes ahead', 600_000],
  ['ten minutes behind', -600_000],
  ['31 days ahead', 31 * 86_400_000],
] as const) {
  test(`shows the database's time and the difference on a host ${description}`, () => {
    const host = createHost(skewMs)
    host.measure()
    host.pass(60_000)
    near(host.clock.now(), host.trueMs(), 2)
    assert.equal(host.clock.date().getTime(), host.clock.now())
    near(host.clock.skewMs, skewMs, 2)
    assert.equal(host.clock.agrees, false)
  })
}

test('no deadline passes while the clocks disagree', () => {
  const host = createHost(0)
  host.measure()
  const now = host.clock.now()
  assert.deepEqual([host.clock.hasPassed(now), host.clock.hasPassed(new Date(now + 1))], [true, false])
  assert.equal(host.clock.cutoff(60_000).getTime(), now - 60_000)
  host.measure(2, 600_000)
  assert.equal(host.clock.hasPassed(now), false)
  assert.equal(host.clock.cutoff(60_000).getTime(), 0)
})

test('remaining time counts from the earliest clock if a deadline seems to have passed', () => {
  const until = new Date(databaseAt + 60_000)
  const startedLater = createHost(0)
  startedLater.measure(2, 600_000)
  const onDatabaseHost = createHost(0)
  onDatabaseHost.measure()
  onDatabaseHost.stepWall(600_000)
  onDatabaseHost.measure(2, 600_000)
  for (const { clock, trueMs } of [startedLater, onDatabaseHost]) {
    near(clock.timeBefore(until), trueMs(), 4)
    near(clock.timeBefore(new Date(databaseAt + 660_000)), trueMs() + 600_000, 4)
  }
})

test("a jump of the host's clock changes only the skew", () => {
  const host = createHost(0)
  host.measure()
  assert.equal(host.clock.agrees, true)
  host.stepWall(-3_600_000)
  near(host.clock.now(), host.trueMs(), 2)
  assert.equal(host.clock.agrees, false)
  host.stepWall(3_600_000)
  assert.equal(host.clock.agrees, true)
})

test('the limit of the skew can be set', () => {
  const host = createHost(20_000)
  host.measure()
  assert.equal(host.clock.agrees, true)
  host.clock.maxSkewMs = 10_000
  assert.equal(host.clock.agrees, false)
})

test('a slow response corrects nothing; a fast one corrects the rest', () => {
  const host = createHost(0)
  assert.equal(host.measure(2), 0)
  const before = host.clock.now() - host.trueMs()
  assert.equal(host.measure(900), 0)
  assert.equal(host.clock.now() - host.trueMs(), before)

  const slow = createHost(0)
  const sentMs = slow.clock.monotonicMs
  slow.pass(800)
  // Taken at the end of the round trip: the middle is off by 400 ms.
  slow.clock.follow({ databaseMs: slow.trueMs(), sentMs, receivedMs: slow.clock.monotonicMs })
  near(slow.clock.now(), slow.trueMs() + 400, 1)
  slow.measure(2)
  near(slow.clock.now(), slow.trueMs(), 2)
})

test("follows a jump of the database's clock and returns the correction", () => {
  const host = createHost(0)
  host.measure()
  near(host.measure(2, 600_000), 600_000, 2)
  near(host.clock.now(), host.trueMs() + 600_000, 2)
  // One of the two is wrong, and it is unknown which.
  assert.equal(host.clock.agrees, false)
  near(host.measure(2), -600_000, 4)
  near(host.clock.now(), host.trueMs(), 4)
})

test('a common jump of both clocks is trusted only after an undo or a restart', () => {
  const host = createHost(0)
  host.measure()
  const monthMs = 31 * 86_400_000
  host.stepWall(monthMs)
  host.measure(2, monthMs)
  near(host.clock.skewMs, 0, 4)
  near(host.clock.jumpMs, monthMs, 4)
  assert.equal(host.clock.agrees, false)
  host.pass(3_600_000)
  host.measure(2, monthMs)
  assert.equal(host.clock.agrees, false, 'time alone confirms nothing')
  host.stepWall(-monthMs)
  host.measure(2)
  assert.equal(host.clock.agrees, true)
})

test('a paused machine trusts its clock only after another process explains the jump', () => {
  const host = createHost(0)
  host.measure()
  // Its monotonic time stood still; time synchronization then sets its clock.
  host.stepWall(90_000)
  host.measure(2, 90_000)
  assert.deepEqual(
    [host.clock.agrees, host.clock.unexplainedSince],
    [false, null],
    'too early for an explanation',
  )
  host.pass(20_000)
  near(host.clock.unexplainedSince!.getTime(), databaseAt, 10)
  assert.equal(host.clock.agrees, false, 'waiting alone confirms nothing')
  host.clock.explainJump()
  assert.deepEqual([host.clock.agrees, host.clock.jumpMs, host.clock.unexplainedSince], [true, 0, null])
})

test('a backward jump is no pause and needs no explanation', () => {
  const host = createHost(0)
  host.measure()
  host.stepWall(-90_000)
  host.measure(2, -90_000)
  host.pass(60_000)
  assert.deepEqual([host.clock.agrees, host.clock.unexplainedSince], [false, null])
})

test('drift and small corrections are not jumps', () => {
  const host = createHost(0)
  host.measure()
  for (let n = 1; n <= 100; n++) {
    host.stepWall(1_000)
    host.measure(2, n * 1_000)
  }
  assert.deepEqual([host.clock.jumpMs, host.clock.agrees], [0, true])
})
