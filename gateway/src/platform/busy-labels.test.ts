/** A counter by account has a series for the busy ones and a bounded number of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BusyLabels, otherLabel } from './busy-labels.ts'

test('who causes a large part of the events gets a series, and keeps it', () => {
  const labels = new BusyLabels()
  const seen = Array.from({ length: 400 }, (_, n) => labels.labelOf(n % 4 === 0 ? 7 : 1_000 + n))
  assert.equal(seen[0], otherLabel)
  assert.ok(seen.filter((label) => label === '7').length > 50)
  assert.ok(seen.every((label) => label === '7' || label === otherLabel))
  assert.equal(labels.labelOf(7), '7')
})

test('many small ones share a series, however long they send', () => {
  const labels = new BusyLabels()
  for (let n = 0; n < 100_000; n++) assert.equal(labels.labelOf(n % 10_000), otherLabel)
})

test('the number of series is bounded', () => {
  const labels = new BusyLabels()
  const seen = new Set<string>()
  for (let id = 0; id < 200; id++) for (let n = 0; n < 30; n++) seen.add(labels.labelOf(id))
  assert.equal(seen.size, 51)
})
