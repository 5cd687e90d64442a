import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TopLabels, otherLabel } from './top-labels.ts'

test('a value with a large part of the events gets a series and keeps it', () => {
  const labels = new TopLabels()
  const usedLabels = Array.from({ length: 400 }, (_, n) => labels.getLabel(n % 4 === 0 ? 7 : 1_000 + n))
  assert.equal(usedLabels[0], otherLabel)
  assert.ok(usedLabels.filter((label) => label === '7').length > 50)
  assert.ok(usedLabels.every((label) => label === '7' || label === otherLabel))
  assert.equal(labels.getLabel(7), '7')
})

test('many small values share a series', () => {
  const labels = new TopLabels()
  for (let n = 0; n < 100_000; n++) assert.equal(labels.getLabel(n % 10_000), otherLabel)
})

test('the number of series is limited', () => {
  const labels = new TopLabels()
  const usedLabels = new Set<string>()
  for (let id = 0; id < 200; id++) for (let n = 0; n < 30; n++) usedLabels.add(labels.getLabel(id))
  // 50 series and `other`.
  assert.equal(usedLabels.size, 51)
})
