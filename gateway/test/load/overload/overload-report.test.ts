import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MemorySample } from './overload-memory.ts'
import { checkOverload, type OverloadRun } from './overload-report.ts'

interface Waiting {
  readonly recordedPerSecond: number
  readonly waiting: number
}

/** Returns the findings about a run with a sample per second and the noise of garbage collection. */
function check(
  mb: number,
  percentPerMinute: number,
  seconds = 600,
  { recordedPerSecond, waiting }: Waiting = { recordedPerSecond: 500, waiting: 0 },
): string {
  const samples = Array.from({ length: seconds }, (_, second): MemorySample => {
    const minute = second / 60
    const residentKb = mb * 1024 * (1 + (percentPerMinute / 100) * minute + 0.02 * Math.sin(second))
    return { minute, residentKb, heapKb: NaN, descriptors: 50 }
  })
  const run: OverloadRun = {
    seconds,
    outstanding: 400,
    blockedSeconds: 60,
    blockedFrom: 200,
    blockedUntil: 260,
    accepted: 1,
    submitted: 1,
    carried: 1,
    stepTtlSeconds: 120,
    begun: 10,
    refusedRequests: 1,
    retryAfter: new Map(),
    failures: [],
    lost: 0,
    unaccepted: 0,
    unknown: 0,
    doubled: 0,
    gap: 0,
    settledWhileBlocked: 1,
    acceptedWhileBlocked: 0,
    resumedAfterSeconds: 1,
    samples: new Map([['worker-1', samples]]),
    apis: 2,
    ages: [],
    waiting: Array.from({ length: seconds }, (_, second) => {
      const recorded = second * recordedPerSecond
      return { second, accepted: recorded + waiting, recorded }
    }),
    rates: [],
  }
  return checkOverload(run).join('\n')
}

test('memory that varies without growing is flat', () => {
  assert.equal(check(400, 0), '')
  assert.equal(check(400, 0.5), '')
})

test('steady growth is a finding, except in runs too short to tell', () => {
  assert.match(check(200, 2), /worker-1 grows by \d+ KB per minute/)
  assert.equal(check(200, 2, 60), '')
})

test('a process above the memory limit is always a finding', () => {
  assert.match(check(900, 0, 60), /worker-1 used 9\d\d MB; limit 768 MB/)
})

test('as many messages may wait as admission permits, however long a machine takes to record them', () => {
  assert.equal(check(400, 0, 60, { recordedPerSecond: 100, waiting: 3_900 }), '')
  assert.match(
    check(400, 0, 60, { recordedPerSecond: 100, waiting: 4_100 }),
    /4,100 accepted messages waited/,
  )
  assert.equal(check(400, 0, 60, { recordedPerSecond: 3_000, waiting: 5_900 }), '')
  assert.match(check(400, 0, 60, { recordedPerSecond: 3_000, waiting: 6_100 }), /limit 6,000/)
})
