/** The gate alone, without a webhook behind it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PushAdmission } from './push-admission.ts'

function push(gate: PushAdmission, failed: boolean): void {
  const entry = gate.enter()
  assert.ok(entry.pass !== null)
  gate.note(entry.pass, failed)
}

test('never rests a webhook for a run of bad luck, and rests one that only fails', () => {
  const gate = new PushAdmission(1_000)
  for (let n = 0; n < 19; n++) push(gate, true)
  assert.ok(gate.open)
  push(gate, true)
  assert.ok(!gate.open)
  const { pass, waitMs } = gate.enter() as { pass: null; waitMs: number }
  assert.equal(pass, null)
  assert.ok(waitMs > 3_000 && waitMs <= 5_000, String(waitMs))
})

test('never rests a webhook that takes every fifth push', () => {
  const gate = new PushAdmission(100_000)
  for (let n = 0; n < 90; n++) push(gate, n % 5 !== 0)
  assert.ok(gate.open)
})

test('keeps the pace and says how long to wait', () => {
  const gate = new PushAdmission(10)
  const waits = [1, 2, 3].map(() => {
    const entry = gate.enter()
    return entry.pass === null ? (entry.waitMs ?? 0) : 0
  })
  // A tenth of a second's worth may go at once: one, or two after a while without any.
  const waited = waits.filter((ms) => ms > 0)
  assert.ok(waited.length >= 1 && waited.length <= 2, String(waits))
  assert.ok(
    waited.every((ms) => ms <= 100),
    String(waits),
  )
})

test('waits as long as it was asked to', () => {
  const gate = new PushAdmission(10)
  gate.pauseFor(2_000)
  assert.ok(!gate.open)
  const entry = gate.enter()
  assert.ok(entry.pass === null && entry.waitMs !== null && entry.waitMs > 1_000 && entry.waitMs <= 2_000)
})
