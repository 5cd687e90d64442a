import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judge, limitLines } from './judge.ts'

const limits = { rows: { limit: 11, spread: 0 }, bytes: { limit: 3_000, spread: 40 } }

test('a figure within the spread of its limit passes', () => {
  for (const bytes of [2_960, 3_000, 3_040])
    assert.deepEqual(judge({ rows: 11, bytes }, limits), { findings: [], lowered: [] })
})

test('a figure above its limit and spread is a finding', () => {
  const { findings } = judge({ rows: 12, bytes: 3_041 }, limits)
  assert.deepEqual(findings, ['rows: 12, limit 11', 'bytes: 3041, limit 3000 ± 40'])
})

test('a figure that is better by more than its spread gives the line that lowers the limit', () => {
  const { findings, lowered } = judge({ rows: 10, bytes: 2_959 }, limits)
  assert.deepEqual(findings, [])
  assert.deepEqual(lowered, ["'rows': { limit: 10, spread: 0 },", "'bytes': { limit: 2959, spread: 40 },"])
})

test('several runs give their median and the difference between the highest and the lowest', () => {
  const runs = [1.31, 1.25, 1.272].map((cpu) => ({ cpu }))
  assert.deepEqual(limitLines(runs), ["'cpu': { limit: 1.272, spread: 0.06 },"])
})
