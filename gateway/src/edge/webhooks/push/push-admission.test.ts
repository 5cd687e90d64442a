import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PushAdmission } from './push-admission.ts'

function push(admission: PushAdmission, failed: boolean): void {
  const entry = admission.tryEnter()
  assert.ok(entry.pass !== null)
  admission.record(entry.pass, failed)
}

test('a short run of failures does not pause a webhook; twenty failures in a row do', () => {
  const admission = new PushAdmission(1_000)
  for (let n = 0; n < 19; n++) push(admission, true)
  assert.ok(admission.isAdmitting)
  push(admission, true)
  assert.ok(!admission.isAdmitting)
  const { pass, waitMs } = admission.tryEnter() as { pass: null; waitMs: number }
  assert.equal(pass, null)
  assert.ok(waitMs > 3_000 && waitMs <= 5_000, String(waitMs))
})

test('never pauses a webhook that acknowledges every fifth push', () => {
  const admission = new PushAdmission(100_000)
  for (let n = 0; n < 90; n++) push(admission, n % 5 !== 0)
  assert.ok(admission.isAdmitting)
})

test('respects the rate and returns how long to wait', () => {
  const admission = new PushAdmission(10)
  const waits = [1, 2, 3].map(() => {
    const entry = admission.tryEnter()
    return entry.pass === null ? (entry.waitMs ?? 0) : 0
  })
  // The burst is a tenth of a second's worth: one, or two after an idle time.
  const waited = waits.filter((ms) => ms > 0)
  assert.ok(waited.length >= 1 && waited.length <= 2, String(waits))
  assert.ok(
    waited.every((ms) => ms <= 100),
    String(waits),
  )
})

test('pauses as long as the receiver requests', () => {
  const admission = new PushAdmission(10)
  admission.pauseFor(2_000)
  assert.ok(!admission.isAdmitting)
  const entry = admission.tryEnter()
  assert.ok(entry.pass === null && entry.waitMs !== null && entry.waitMs > 1_000 && entry.waitMs <= 2_000)
})
