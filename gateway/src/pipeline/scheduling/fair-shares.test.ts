import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FairShares, type Waiter } from './fair-shares.ts'

const equal = (count: number): Waiter[] =>
  Array.from({ length: count }, (_, n) => ({ accountId: n + 1, weight: 1 }))

test('never exceeds the capacity, and gives nothing without any', () => {
  const waiters = fc.uniqueArray(
    fc.record({ accountId: fc.integer({ min: 1, max: 500 }), weight: fc.integer({ min: 1, max: 100 }) }),
    { selector: ({ accountId }) => accountId, maxLength: 60 },
  )
  fc.assert(
    fc.property(
      waiters,
      fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 20 }),
      (present, capacities) => {
        const shares = new FairShares()
        for (const capacity of capacities) {
          const granted = [...shares.share(present, capacity).values()].reduce((sum, parts) => sum + parts, 0)
          assert.ok(granted <= capacity)
          if (present.length > 0 && capacity >= present.reduce((sum, { weight }) => sum + weight, 0))
            assert.ok(
              granted >= capacity - present.length - 1,
              'capacity is used as far as whole parts allow',
            )
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('over many rounds accounts of the same weight get the same, however small the capacity', () => {
  for (const capacity of [1, 3, 7, 40, 1000]) {
    const shares = new FairShares()
    const totals = new Map<number, number>()
    for (let round = 0; round < 1_000; round++) {
      for (const [id, parts] of shares.share(equal(100), capacity))
        totals.set(id, (totals.get(id) ?? 0) + parts)
    }
    const sums = [...totals.values()]
    assert.equal(sums.length, 100)
    assert.ok(
      Math.max(...sums) - Math.min(...sums) <= Math.max(2, capacity / 50),
      `capacity ${capacity}: ${Math.min(...sums)}–${Math.max(...sums)}`,
    )
  }
})

test('an account of three times the weight gets three times as much', () => {
  const shares = new FairShares()
  const totals = [0, 0]
  const waiters = [
    { accountId: 1, weight: 3 },
    { accountId: 2, weight: 1 },
  ]
  for (let round = 0; round < 100; round++) {
    const grants = shares.share(waiters, 10)
    totals[0]! += grants.get(1) ?? 0
    totals[1]! += grants.get(2) ?? 0
  }
  assert.ok(Math.abs(totals[0]! / totals[1]! - 3) < 0.1, totals.join(' and '))
})

test('an account that had nothing waiting does not catch up on past rounds', () => {
  const shares = new FairShares()
  const [first, second] = [
    { accountId: 1, weight: 1 },
    { accountId: 2, weight: 1 },
  ]
  for (let round = 0; round < 50; round++) shares.share([first], 10)
  assert.deepEqual(
    new Map(shares.share([first, second], 10)),
    new Map([
      [1, 5],
      [2, 5],
    ]),
  )
})

test('parts beyond a share are deducted later', () => {
  const shares = new FairShares()
  const waiters = equal(2)
  shares.share(waiters, 2)
  shares.correct(1, -4)
  let [first, second] = [0, 0]
  for (let round = 0; round < 10; round++) {
    const grants = shares.share(waiters, 2)
    first += grants.get(1) ?? 0
    second += grants.get(2) ?? 0
  }
  assert.ok(second - first >= 3 && second - first <= 6, `${first} and ${second}`)
})
