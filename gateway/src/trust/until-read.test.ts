/** What is judged by older data than the message waits; everything else keeps its verdict. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMsgKey } from '../contract/msg-key.ts'
import type { Denial } from './rule-group.ts'
import { untilRead } from './until-read.ts'

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

test('it fails when what was read is newer, when its step ends before the next reading, and when its time is still to come', () => {
  assert.equal(untilRead(fail, job, { readAt: acceptedAt + 5_000, now: acceptedAt + 6_000 }), fail)
  const short = { ...job, dueAt: now + 1_000 }
  assert.equal(untilRead(fail, short, { readAt: acceptedAt - 900, now }), fail)
  // PostgreSQL's clock was corrected by ten minutes.
  const early = acceptedAt - 600_000
  assert.equal(untilRead(fail, job, { readAt: early - 900, now: early }), fail)
})

test('a hold and a permission stay', () => {
  const hold: Denial = { verdict: 'hold', rule: 'advertisement-quiet-hours', until: now + 5 }
  assert.equal(untilRead(hold, job, { readAt: -Infinity, now }), hold)
  assert.equal(untilRead(null, job, { readAt: -Infinity, now }), null)
})
