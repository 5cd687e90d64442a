/** Shares of accounts in a limited lane: the sum keeps the limit, small accounts are never refused, nobody starves. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cpuMs } from '../../../test/support/cpu-time.ts'
import { AccountShares, type OverShare } from './account-shares.ts'

interface Load {
  readonly weight: number
  /** Messages a second. */
  readonly rate: number
  readonly cost: number
}

interface Outcome {
  admitted: number
  refused: number
}

const stepMs = 10
const tickMs = 200

/** Accounts that send evenly and ignore refusals, in virtual time. */
function simulate(loads: readonly Load[], limit: number, seconds: number, startMs = 0): Outcome[] {
  const shares = new AccountShares(() => 0.5)
  const outcomes = loads.map(() => ({ admitted: 0, refused: 0 }))
  const credit = loads.map(({ cost }, index) => (cost * ((index * 37) % 100)) / 100)
  // Two seconds without a limit, as before a lane becomes late.
  for (let ms = -2_000; ms < seconds * 1000; ms += stepMs) {
    const nowMs = startMs + ms
    if (ms % tickMs === 0) shares.setLimit(ms < 0 ? undefined : limit, nowMs)
    for (const [index, { weight, rate, cost }] of loads.entries()) {
      credit[index]! += (rate * stepMs) / 1000
      for (; credit[index]! >= cost; credit[index]! -= cost) {
        const over = shares.admit({ id: index, weight }, cost, nowMs)
        if (ms < 0) assert.equal(over, null, 'nothing is refused without a limit')
        else if (over === null) outcomes[index]!.admitted += cost
        else outcomes[index]!.refused += cost
      }
    }
  }
  return outcomes
}

const load = fc.record({
  weight: fc.integer({ min: 1, max: 10 }),
  rate: fc.double({ min: 0.5, max: 5_000, noNaN: true }),
  cost: fc.integer({ min: 1, max: 10 }),
})

test('what is admitted keeps the limit, apart from one burst of each account', () => {
  fc.assert(
    fc.property(
      fc.array(load, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 50, max: 3_000 }),
      (loads, limit) => {
        const seconds = 10
        const admitted = simulate(loads, limit, seconds).reduce((sum, one) => sum + one.admitted, 0)
        // Demands are averages, so shares may be a little too large for a moment.
        const allowed = limit * seconds * 1.05 + limit * 0.5 + 10 * loads.length
        assert.ok(admitted <= allowed, `${admitted} of ${allowed}`)
      },
    ),
    { numRuns: 60 },
  )
})

test('an account that asks for clearly less than its share is never refused', () => {
  fc.assert(
    fc.property(
      fc.array(load, { minLength: 2, maxLength: 8 }),
      fc.integer({ min: 200, max: 3_000 }),
      (loads, limit) => {
        const weights = loads.reduce((sum, { weight }) => sum + weight, 0)
        const outcomes = simulate(loads, limit, 5)
        for (const [index, { rate, weight }] of loads.entries()) {
          if (rate <= (0.7 * limit * weight) / weights)
            assert.equal(outcomes[index]!.refused, 0, `account ${index}`)
        }
      },
    ),
    { numRuns: 60 },
  )
})

test('accounts that ask for too much get what is left, by weight', () => {
  const loads = [
    { weight: 1, rate: 20, cost: 1 },
    { weight: 1, rate: 20_000, cost: 10 },
    { weight: 3, rate: 20_000, cost: 10 },
  ]
  const seconds = 20
  const [small, one, three] = simulate(loads, 1_020, seconds)
  assert.equal(small!.refused, 0)
  for (const [{ admitted }, expected] of [
    [one!, 250],
    [three!, 750],
  ] as const) {
    assert.ok(
      Math.abs(admitted / seconds - expected) < 0.1 * expected,
      `${admitted / seconds} of ${expected}`,
    )
  }
})

test('nobody starves: each of 500 accounts that ask for too much gets its share', () => {
  const loads = Array.from({ length: 500 }, () => ({ weight: 1, rate: 20, cost: 10 }))
  const seconds = 30
  for (const { admitted } of simulate(loads, 500, seconds)) {
    assert.ok(admitted >= seconds - 20 && admitted <= seconds + 20, `${admitted} messages in ${seconds} s`)
  }
})

test('times may begin anywhere, stand still or go back', () => {
  const shares = new AccountShares(() => 0)
  const sender = { id: 1, weight: 1 }
  shares.setLimit(10, 1e12)
  const admitted = [1e12, 1e12, 1e12 - 5_000, 0].map((nowMs) => shares.admit(sender, 10, nowMs) === null)
  assert.deepEqual(admitted, [true, false, false, false])
  assert.equal(shares.admit(sender, 10, 1e12 + 1_000), null)
})

test('the time to come back grows with what was refused, and is from 1 to 60 seconds', () => {
  const shares = new AccountShares(() => 0)
  const sender = { id: 1, weight: 1 }
  for (let n = 0; n < 1_000; n++) shares.admit(sender, 10, n)
  shares.setLimit(100, 1_000)
  const refusals = Array.from({ length: 2_000 }, () => shares.admit(sender, 10, 1_000)) as OverShare[]
  assert.equal(refusals[0]!.share, 100)
  assert.equal(refusals[0]!.retryAfterSeconds, 1)
  assert.equal(refusals[29]!.retryAfterSeconds, 3)
  assert.equal(refusals.at(-1)!.retryAfterSeconds, 60)
  const returned = refusals.filter(({ retryAfterSeconds }) => retryAfterSeconds <= 10).length
  assert.equal(returned, 100, 'ten seconds of the share are asked to come back within ten seconds')
})

test('a client that comes back when it is told loses nothing', () => {
  const shares = new AccountShares(() => 0)
  const sender = { id: 1, weight: 1 }
  // 200 requests at once, far above the share, then only those that are due.
  const due = new Map<number, number>([[0, 200]])
  for (let n = 0; n < 1_000; n++) shares.admit(sender, 10, -1)
  shares.setLimit(100, 0)
  let open = 200
  let second = 0
  for (; open > 0 && second < 120; second++) {
    shares.setLimit(100, second * 1000)
    for (let n = due.get(second) ?? 0; n > 0; n--) {
      const over = shares.admit(sender, 10, second * 1000)
      if (over === null) open--
      else due.set(second + over.retryAfterSeconds, (due.get(second + over.retryAfterSeconds) ?? 0) + 1)
    }
  }
  assert.equal(open, 0)
  // 20 seconds of the share; whole seconds and empty buckets in between cost some.
  assert.ok(second <= 60, `${second} s`)
})

test('memory follows the accounts that send: 10,000 are kept, and forgotten when they stop', () => {
  const shares = new AccountShares()
  for (let id = 0; id < 10_000; id++) shares.admit({ id, weight: 1 }, 1, 0)
  assert.equal(shares.size, 10_000)
  shares.setLimit(100, 1_000)
  shares.setLimit(undefined, 20_000)
  assert.equal(shares.size, 0)
})

test('costs about a microsecond when there is no limit', () => {
  const shares = new AccountShares()
  const senders = Array.from({ length: 1_000 }, (_, id) => ({ id, weight: 1 }))
  const rounds = 300
  const run = (): number => {
    const spent = cpuMs(() => {
      for (let n = 0; n < rounds; n++) for (const sender of senders) shares.admit(sender, 1, n)
    })
    return (spent * 1000) / (rounds * senders.length)
  }
  // The cheapest of several: the first ones are compiled and collect garbage.
  const micros = Math.min(run(), run(), run(), run())
  assert.ok(micros < 3, `${micros.toFixed(2)} µs`)
})

test('tokens of a request that another lane refuses are given back, and no more than those', () => {
  const shares = new AccountShares()
  const sender = { id: 1, weight: 1 }
  shares.setLimit(1, 0)
  assert.equal(shares.admit(sender, 10, 0), null)
  assert.notEqual(shares.admit(sender, 10, 0), null)
  shares.giveBack(sender, 10)
  assert.equal(shares.admit(sender, 10, 0), null)
  assert.notEqual(shares.admit(sender, 1, 0), null)
})
