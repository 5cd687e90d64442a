/** Max-min fairness: nobody gets more than it asks for, the total is used, and only those above the level go short. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fairLevel } from './max-min.ts'

const demands = fc.array(
  fc.record({
    demand: fc.double({ min: 0, max: 1e6, noNaN: true }),
    weight: fc.integer({ min: 1, max: 100 }),
  }),
  { minLength: 1, maxLength: 50 },
)

test('the grants use the total, or cover every demand', () => {
  fc.assert(
    fc.property(demands, fc.double({ min: 1, max: 1e6, noNaN: true }), (all, total) => {
      const level = fairLevel(total, all)
      const granted = all.reduce((sum, { demand, weight }) => sum + Math.min(demand, level * weight), 0)
      const asked = all.reduce((sum, { demand }) => sum + demand, 0)
      if (level === Infinity) assert.ok(asked <= total * (1 + 1e-9))
      else assert.ok(Math.abs(granted - total) <= total * 1e-6, `${granted} of ${total}`)
    }),
  )
})

test('whoever asks for no more than its part by weight gets all of it', () => {
  fc.assert(
    fc.property(demands, fc.double({ min: 1, max: 1e6, noNaN: true }), (all, total) => {
      const weights = all.reduce((sum, { weight }) => sum + weight, 0)
      const level = fairLevel(total, all)
      for (const { demand, weight } of all)
        if (demand <= (total * weight) / weights) assert.ok(demand <= level * weight * (1 + 1e-9))
    }),
  )
})

test('what the small ones leave is divided among the large ones by weight', () => {
  const level = fairLevel(100, [
    { demand: 10, weight: 1 },
    { demand: 1_000, weight: 1 },
    { demand: 1_000, weight: 2 },
  ])
  assert.equal(level, 30)
})
