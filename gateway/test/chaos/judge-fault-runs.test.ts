/** A failed send is attributed to the faults that explain it, and to no other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FaultRun } from './fault-runs.ts'
import { judgeFaultRuns } from './judge-fault-runs.ts'
import type { Reply, Send } from './load.ts'
import { kinds } from './message-mix.ts'

const faultRun = (
  name: string,
  acceptsThroughout: boolean,
  injectedAt: number,
  overAt: number,
): FaultRun => ({
  fault: { name, on: ['full'], acceptsThroughout, lastsMs: 0, inject: () => Promise.resolve() },
  ...{ injectedAt, countsFrom: injectedAt, repairedAt: overAt, flowingAt: overAt, overAt },
})
const faultRuns = [
  faultRun('harmless', true, 1_000, 2_000),
  faultRun('an API is killed', false, 2_001, 3_000),
]

const unanswered: Reply = { kind: 'unanswered', reason: 'socket hang up' }
const slowed: Reply = {
  kind: 'refused',
  code: 'A020',
  httpStatus: 429,
  result: 'Too many',
  retryAfterMs: 1_000,
}

function judge(sentAt: number, repliedAt: number, reply = unanswered): string[] {
  const send: Send = { ref: 'one', kind: kinds[0]!, sentAt, reply, repliedAt }
  return judgeFaultRuns({
    load: { sends: new Map([[send.ref, send]]) },
    poller: { longestStall: () => 0 },
    faultRuns,
  })
}

test('a send that failed during a fault that does not affect accepting is a finding', () => {
  assert.match(judge(1_500, 1_600).join(), /^harmless: sends were not accepted during the fault/)
})

test('a send that was open when the next fault was injected is not', () => {
  assert.deepEqual(judge(1_990, 2_010), [])
})

test('a send that failed between two faults is a finding', () => {
  assert.match(judge(500, 600).join(), /outside of faults that affect accepting/)
})

test('a send that was asked to come back later is a finding only long after a fault', () => {
  assert.deepEqual(judge(1_500, 1_600, slowed), [])
  assert.deepEqual(judge(17_900, 17_950, slowed), [])
  assert.match(judge(18_100, 18_200, slowed).join(), /outside of faults that affect accepting/)
})
