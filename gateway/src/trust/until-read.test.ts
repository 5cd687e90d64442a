/** What is judged by older data than the message waits; everything else keeps its verdict. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMsgKey } from '../contract/msg-key.ts'
import type { Denial } from './rule-group.ts'
import { readAgainAt, untilRead } from './until-read.ts'

const acceptedAt = Date.UTC(2026, 10, 17, 3, 4, 5, 678)
const job = { msgKey: createMsgKey('00', new Date(acceptedAt)), dueAt: acceptedAt + 60_000 }
const fail: Denial = {
  ...{ verdict: 'fail', rule: 'sender-number-registered', cause: 'unregistered-sender' },
  text: 'from is not registered for the account',
}
const now = acceptedAt + 100

test('a message that is newer than what was read waits for a second, under the name of the rule', () => {
  const held = untilRead(fail, job, { readAt: acceptedAt - 900, now })
  assert.deepEqual(held, { verdict: 'hold', rule: fail.rule, until: now + 1_250 })
})

test('clocks may differ: what was read just after the message was accepted may be older', () => {
  assert.equal(untilRead(fail, job, { readAt: acceptedAt + 200, now: acceptedAt + 300 })?.verdict, 'hold')
  assert.equal(untilRead(fail, job, { readAt: acceptedAt + 250, now: acceptedAt + 300 }), fail)
})

test('a message of a process whose clock is ahead waits', () => {
  // The measurement of a clock may be wrong by 500 ms in each of the two.
  const judgedAt = acceptedAt - 1_000
  assert.equal(untilRead(fail, job, { readAt: judgedAt - 900, now: judgedAt })?.verdict, 'hold')
})

test('it fails when what was read is newer, when its step ends before the next reading, and when its time is still to come', () => {
  assert.equal(untilRead(fail, job, { readAt: acceptedAt + 5_000, now: acceptedAt + 6_000 }), fail)
  const short = { ...job, dueAt: now + 1_000 }
  assert.equal(untilRead(fail, short, { readAt: acceptedAt - 900, now }), fail)
  // PostgreSQL's clock was corrected by ten minutes.
  const early = acceptedAt - 600_000
  assert.equal(untilRead(fail, job, { readAt: early - 900, now: early }), fail)
})

test('a message that is first judged after an outage, before anything is read again, waits', () => {
  const times = { readAt: acceptedAt - 900, now: acceptedAt + 30_000 }
  assert.equal(readAgainAt(job, times), times.now + 1_250)
  assert.equal(untilRead(fail, job, times)?.verdict, 'hold')
  // It has waited in its lane, or for its time.
  for (const heldWhy of ['backlog', 'scheduled'])
    assert.equal(untilRead(fail, { ...job, heldAt: acceptedAt, heldWhy }, times)?.verdict, 'hold')
})

test('a process that cannot read holds a message for ten seconds, not until its deadline', () => {
  const readAt = acceptedAt - 3_600_000
  const heldAt = acceptedAt + 20_000
  const last = heldAt + 10_000
  const held = { ...job, heldAt, heldWhy: `rule:${fail.rule}` }
  assert.equal(untilRead(fail, held, { readAt, now: last })?.verdict, 'hold')
  assert.equal(untilRead(fail, held, { readAt, now: last + 1 }), fail)
  assert.equal(readAgainAt(job, { readAt, now: last, heldAt }), last + 1_250)
  assert.equal(readAgainAt(job, { readAt, now: last + 1, heldAt }), undefined)
})

test('the ten seconds of a message that was held before an outage count from its end', () => {
  const now = acceptedAt + 61_000
  const late = { ...job, dueAt: now + 60_000, heldAt: now - 60_000, heldWhy: `rule:${fail.rule}` }
  const times = { readAt: acceptedAt - 900, now }
  assert.equal(untilRead(fail, late, { ...times, answersSince: now - 1_000 })?.verdict, 'hold')
  assert.equal(untilRead(fail, late, { ...times, answersSince: now - 10_001 }), fail)
  assert.equal(untilRead(fail, late, times), fail)
  assert.equal(readAgainAt(late, { ...times, heldAt: now - 60_000, answersSince: now }), now + 1_250)
  // It was held after the outage.
  const held = { ...late, heldAt: now - 2_000 }
  assert.equal(untilRead(fail, held, { ...times, answersSince: now - 60_000 })?.verdict, 'hold')
})

test('a hold and a permission stay', () => {
  const hold: Denial = { verdict: 'hold', rule: 'advertisement-quiet-hours', until: now + 39_600_000 }
  assert.equal(untilRead(hold, job, { readAt: acceptedAt - 900, now }), hold)
  assert.equal(untilRead(null, job, { readAt: -Infinity, now }), null)
})
