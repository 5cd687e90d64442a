import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawChart } from '../chart.ts'
import { computeGrowth, checkGrowth } from './soak-report.ts'

const samples = (kbPerMinute: number, descriptorsPerMinute = 0) =>
  Array.from({ length: 120 }, (_, index) => ({
    minute: index / 4,
    // Simulates a heap that is collected from time to time.
    residentKb: 200_000 + (index % 8) * 1_000 + (index / 4) * kbPerMinute,
    descriptors: 40 + Math.floor((index / 4) * descriptorsPerMinute),
  }))

test('garbage collection is not reported as growth, a leak is', () => {
  assert.deepEqual(checkGrowth(computeGrowth('flat', samples(0)), 30), [])
  assert.match(
    checkGrowth(computeGrowth('leaking', samples(1_500)), 30)[0]!,
    /grows by 1[0-9]{3} KB per minute/,
  )
  assert.match(checkGrowth(computeGrowth('open', samples(0, 2)), 30)[0]!, /file descriptors/)
})

test('a chart contains every point and escapes its labels', () => {
  const svg = drawChart({
    title: 'a < b',
    x: 'x',
    y: 'y',
    logX: true,
    series: [
      {
        name: 'one',
        as: 'dots',
        points: [
          [1, 2],
          [10, 3],
          [100, 4],
        ],
      },
      {
        name: 'two',
        as: 'line',
        points: [
          [1, 1],
          [100, 5],
        ],
      },
    ],
  })
  assert.equal(svg.match(/<circle/g)?.length, 3)
  assert.match(svg, /a &lt; b/)
  assert.doesNotMatch(svg, /NaN/)
})
