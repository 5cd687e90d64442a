/** What counts as flat memory under overload: a bounded size, and no steady growth. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MemorySample } from './overload-memory.ts'
import { judgeOverload, type OverloadRun } from './overload-report.ts'

/** Ten minutes, a sample a second, with the noise of garbage collection. */
function judge(mb: number, percentAMinute: number, seconds = 600): string {
  const samples = Array.from({ length: seconds }, (_, second): MemorySample => {
    const minute = second / 60
    const residentKb = mb * 1024 * (1 + (percentAMinute / 100) * minute + 0.02 * Math.sin(second))
    return { minute, residentKb, heapKb: NaN, descriptors: 50 }
  })
  const run: OverloadRun = {
    ...{ seconds, outstanding: 400, blockedSeconds: 60, blockedFrom: 200, blockedUntil: 260 },
    ...{
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
    },
    ...{
      unknown: 0,
      doubled: 0,
      gap: 0,
      settledWhileBlocked: 1,
      acceptedWhileBlocked: 0,
      resumedAfterSeconds: 1,
    },
    ...{ samples: new Map([['worker-1', samples]]), ages: [], rates: [] },
  }
  return judgeOverload(run, 10).join('\n')
}

test('memory that varies and does not grow is flat', () => {
  assert.equal(judge(400, 0), '')
  assert.equal(judge(400, 0.5), '')
})

test('steady growth is a finding, and in a run too short to tell it is not', () => {
  assert.match(judge(200, 2), /worker-1 grows by \d+ KB a minute/)
  assert.equal(judge(200, 2, 60), '')
})

test('a process beyond the ceiling is a finding whatever its slope and the length of the run', () => {
  assert.match(judge(900, 0, 60), /worker-1 used 9\d\d MB; at most 768 MB/)
})
