import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMsgKey } from '../contract/msg-key.ts'
import type { RuleDecision } from './rule-group.ts'
import { computeRecheckTime, deferStaleDenial } from './stale-denials.ts'

const acceptedAt = Date.UTC(2026, 10, 17, 3, 4, 5, 678)
const job = { msgKey: createMsgKey('00', new Date(acceptedAt)), dueAt: acceptedAt + 60_000 }
const fail: RuleDecision = {
  verdict: 'fail',
  rule: 'sender-number-registered',
  cause: 'unregistered-sender',
  text: 'from is not registered for the account',
}
const now = acceptedAt + 100

test('a message newer than the data waits for a second under the rule', () => {
  const held = deferStaleDenial(fail, job, { readAt: acceptedAt - 900, now })
  assert.deepEqual(held, { verdict: 'hold', rule: fail.rule, until: now + 1_250 })
})

test('clock differences are tolerated', () => {
  assert.equal(
    deferStaleDenial(fail, job, { readAt: acceptedAt + 200, now: acceptedAt + 300 })?.verdict,
    'hold',
  )
  assert.equal(deferStaleDenial(fail, job, { readAt: acceptedAt + 250, now: acceptedAt + 300 }), fail)
})

test('a message of a process whose clock is ahead waits', () => {
  // The measurement of each of the two clocks can be wrong by 500 ms, so the acceptance can seem a second later.
  const checkedAt = acceptedAt - 1_000
  assert.equal(deferStaleDenial(fail, job, { readAt: checkedAt - 900, now: checkedAt })?.verdict, 'hold')
})

test('a message fails with newer data, a near deadline, or a future time', () => {
  assert.equal(deferStaleDenial(fail, job, { readAt: acceptedAt + 5_000, now: acceptedAt + 6_000 }), fail)
  const short = { ...job, dueAt: now + 1_000 }
  assert.equal(deferStaleDenial(fail, short, { readAt: acceptedAt - 900, now }), fail)
  // PostgreSQL's clock was corrected by ten minutes, for which no message waits.
  const early = acceptedAt - 600_000
  assert.equal(deferStaleDenial(fail, job, { readAt: early - 900, now: early }), fail)
})

test('a message that is first checked after an outage waits until the data is read again', () => {
  const times = { readAt: acceptedAt - 900, now: acceptedAt + 30_000 }
  assert.equal(computeRecheckTime(job, times), times.now + 1_250)
  assert.equal(deferStaleDenial(fail, job, times)?.verdict, 'hold')
  // The step has waited in its lane, or for its time.
  for (const heldWhy of ['backlog', 'scheduled'])
    assert.equal(deferStaleDenial(fail, { ...job, heldAt: acceptedAt, heldWhy }, times)?.verdict, 'hold')
})

test('a process that cannot read holds a message for ten seconds, not until its deadline', () => {
  const readAt = acceptedAt - 3_600_000
  const heldAt = acceptedAt + 20_000
  const last = heldAt + 10_000
  const held = { ...job, heldAt, heldWhy: `rule:${fail.rule}` }
  assert.equal(deferStaleDenial(fail, held, { readAt, now: last })?.verdict, 'hold')
  assert.equal(deferStaleDenial(fail, held, { readAt, now: last + 1 }), fail)
  assert.equal(computeRecheckTime(job, { readAt, now: last, heldAt }), last + 1_250)
  assert.equal(computeRecheckTime(job, { readAt, now: last + 1, heldAt }), undefined)
})

test('the ten seconds of a message held before an outage count from its end', () => {
  const now = acceptedAt + 61_000
  const late = { ...job, dueAt: now + 60_000, heldAt: now - 60_000, heldWhy: `rule:${fail.rule}` }
  const times = { readAt: acceptedAt - 900, now }
  assert.equal(deferStaleDenial(fail, late, { ...times, respondsSince: now - 1_000 })?.verdict, 'hold')
  assert.equal(deferStaleDenial(fail, late, { ...times, respondsSince: now - 10_001 }), fail)
  assert.equal(deferStaleDenial(fail, late, times), fail)
  assert.equal(computeRecheckTime(late, { ...times, heldAt: now - 60_000, respondsSince: now }), now + 1_250)
  // The message was held after the outage.
  const held = { ...late, heldAt: now - 2_000 }
  assert.equal(deferStaleDenial(fail, held, { ...times, respondsSince: now - 60_000 })?.verdict, 'hold')
})

test('a decision to hold or to allow is not changed', () => {
  const hold: RuleDecision = { verdict: 'hold', rule: 'advertisement-quiet-hours', until: now + 39_600_000 }
  assert.equal(deferStaleDenial(hold, job, { readAt: acceptedAt - 900, now }), hold)
  assert.equal(deferStaleDenial(null, job, { readAt: -Infinity, now }), null)
})
