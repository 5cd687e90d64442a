import assert from 'node:assert/strict'
import { test } from 'node:test'
import { benchFigures } from './bench-figures.ts'

test('both scenarios are read from the last line of JSON', () => {
  const accept = { ours: 12_589.4, bare: 9_498, ratio: 1.325, toGrouped: { ratio: 0.9 } }
  const pipeline = { ours: 2_301, bare: 1_500, ratio: 1.5, toGrouped: { ratio: 0.834 } }
  const output = `bench: preparing\n{"other":1}\n${JSON.stringify({ accept, pipeline })}\n`
  assert.equal(benchFigures(output), 'accept 12,589/s, 1.32 of bare; pipeline 2,301/s, 0.83 of grouped')
})

test('output without figures is an error', () => {
  assert.throws(() => benchFigures('bench: interrupted\n'), /printed no figures/)
})
