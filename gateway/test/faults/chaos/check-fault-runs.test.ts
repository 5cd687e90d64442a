import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FaultRun } from './fault-runs.ts'
import { checkFaultRuns } from './check-fault-runs.ts'
import type { SendReply, ChaosSend } from './load.ts'
import { messageKinds } from './message-mix.ts'

const faultRun = (
  name: string,
  acceptsThroughout: boolean,
  injectedAt: number,
  overAt: number,
): FaultRun => ({
  fault: { name, on: ['full'], acceptsThroughout, lastsMs: 0, inject: () => Promise.resolve() },
  injectedAt,
  countsFrom: injectedAt,
  repairedAt: overAt,
  flowingAt: overAt,
  overAt,
})
const faultRuns = [
  faultRun('harmless', true, 1_000, 2_000),
  faultRun('an API is killed', false, 2_001, 3_000),
]

const unanswered: SendReply = { kind: 'unanswered', reason: 'socket hang up' }
const throttled: SendReply = {
  kind: 'refused',
  code: 'A020',
  httpStatus: 429,
  result: 'Too many',
  retryAfterMs: 1_000,
}

function check(sentAt: number, repliedAt: number, reply = unanswered): string[] {
  return checkSend({ sentAt, repliedAt, reply })
}

function checkSend(given: Partial<ChaosSend>, runs = faultRuns): string[] {
  const { sentAt = 0 } = given
  const send = { ref: 'one', kind: messageKinds[0]!, isKeyed: false, firstSentAt: sentAt, sentAt, ...given }
  return checkFaultRuns({
    load: { requests: [{ reply: undefined, repliedAt: sentAt, ...send }] },
    poller: { longestStall: () => 0 },
    faultRuns: runs,
  })
}

test('a send that fails during a fault without effect on accepting is a finding', () => {
  assert.match(check(1_500, 1_600).join(), /^harmless: sends were not accepted during the fault/)
})

test('a send that overlaps the next fault is no finding', () => {
  assert.deepEqual(check(1_990, 2_010), [])
})

test('a send that fails before the first fault is a finding', () => {
  assert.match(check(500, 600).join(), /outside of faults that affect accepting/)
})

test('a slowed gateway may pause for 30 seconds, and must be as fast as before 10 seconds after the repair', () => {
  const checkSlowed = (stallMs: number, recoveryMs: number): string => {
    const slowed = faultRun('starved', false, 1_000, 61_000)
    const run: FaultRun = {
      ...slowed,
      fault: { ...slowed.fault, slows: true },
      countsFrom: 61_000,
      flowingAt: 61_000 + recoveryMs,
    }
    return checkFaultRuns({
      load: { requests: [] },
      poller: { longestStall: () => stallMs },
      faultRuns: [run],
    }).join()
  }
  assert.equal(checkSlowed(29_000, 9_000), '')
  assert.match(checkSlowed(31_000, 9_000), /^starved: a stall of 31/)
  assert.match(checkSlowed(29_000, 11_000), /^starved: messages flowed after 11/)
})

test('a 429 is a finding only long after a fault', () => {
  assert.deepEqual(check(1_500, 1_600, throttled), [])
  assert.deepEqual(check(17_900, 17_950, throttled), [])
  assert.match(check(18_100, 18_200, throttled).join(), /outside of faults that affect accepting/)
})

test('a send with a key may get 503 while Redis is unavailable, another send must not', () => {
  const refused: SendReply = { ...throttled, code: 'A920', httpStatus: 503 }
  const [harmless] = faultRuns as [FaultRun]
  const runs: FaultRun[] = [{ ...harmless, fault: { ...harmless.fault, loses: 'keys' } }]
  const send = { sentAt: 1_500, repliedAt: 1_600, reply: refused, isKeyed: true }
  assert.deepEqual(checkSend(send, runs), [])
  assert.match(checkSend({ ...send, isKeyed: false }, runs).join(), /^harmless: sends were not accepted/)
  assert.match(checkSend({ ...send, sentAt: 500, repliedAt: 600 }, runs).join(), /outside of faults/)
  assert.match(checkSend(send).join(), /^harmless: sends were not accepted/)
})

test('a repeat may be refused because the first request is in progress, but only for 30 seconds', () => {
  const reply: SendReply = { ...throttled, code: 'A022', httpStatus: 503 }
  const repeat = { firstSentAt: 4_000, sentAt: 34_000, repliedAt: 34_000, reply, isKeyed: true }
  assert.deepEqual(checkSend(repeat), [])
  assert.match(checkSend({ ...repeat, sentAt: 34_001 }).join(), /outside of faults/)
})
