import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Fifo } from './fifo.ts'

test('returns items in order, for any mix of calls', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 12 }), (runs) => {
      const queue = new Fifo<number>()
      let [put, taken] = [0, 0]
      for (const [index, run] of runs.entries()) {
        for (let count = 0; count < run; count++) {
          if (index % 2 === 0) queue.push(put++)
          else if (taken < put) assert.equal(queue.shift(), taken++)
          else assert.equal(queue.shift(), undefined)
        }
        assert.equal(queue.size, put - taken)
      }
    }),
    { numRuns: 50 },
  )
})
