/**
 * The owners of a route together keep to its rate: over any period they admit no more than one owner would, however owners join
 * or leave, and they reach the rate while there is work.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testRoute } from '../../../../test/support/routes.ts'
import { listShares, type RouteShare } from '../../../carriers/routes/shares.ts'
import { createPacer, defaultBurstMs, type Pacer } from './pacer.ts'

const durationMs = 4_000

/** A share and its current pacer, which is null while the share has no owner. */
interface Owned {
  readonly share: RouteShare
  pacer: Pacer | null
}

interface Change {
  readonly at: number
  readonly share: number
  /** If true, the owner leaves; if false, a new owner starts without the state of the previous one. */
  readonly leaves: boolean
}

interface Pause {
  readonly from: number
  readonly forMs: number
}

const cases = fc.record({
  rate: fc.integer({ min: 1, max: 2_000 }),
  owners: fc.integer({ min: 1, max: 16 }),
  changes: fc.array(
    fc.record({ at: fc.integer({ min: 0, max: durationMs - 1 }), share: fc.nat(15), leaves: fc.boolean() }),
    { maxLength: 40 },
  ),
  /** Nothing waits: the owners may save up a burst. */
  pauses: fc.array(fc.record({ from: fc.nat(durationMs), forMs: fc.integer({ min: 1, max: 500 }) }), {
    maxLength: 4,
  }),
})

function admissions(
  shares: readonly RouteShare[],
  changes: readonly Change[],
  pauses: readonly Pause[],
): number[] {
  const owned: Owned[] = shares.map((share) => ({ share, pacer: createPacer(share, 0) }))
  const at: number[] = []
  for (let now = 0; now < durationMs; now++) {
    for (const change of changes) {
      if (change.at !== now) continue
      const target = owned[change.share % owned.length]!
      if (change.leaves) target.pacer = null
      else target.pacer ??= createPacer(target.share, now)
    }
    if (pauses.some(({ from, forMs }) => now >= from && now < from + forMs)) continue
    for (const { share, pacer } of owned) {
      while (pacer !== null && pacer.nextAt(now) <= now) {
        pacer.consume(1, share.partsPerSecond)
        at.push(now)
      }
    }
  }
  return at
}

/** Fails when a period contains more than rate × period + `extra` parts. */
function assertRate(at: readonly number[], rate: number, extra: number): void {
  // The worst of all periods: the maximum sum of how far each admission is ahead of the rate.
  let lead = 0
  let last = at[0] ?? 0
  for (const time of at) {
    lead = Math.max(0, lead - (rate * (time - last)) / 1000) + 1
    last = time
    assert.ok(lead <= extra + 1e-6, `${lead} parts ahead of ${rate} per second; ${extra} are allowed`)
  }
}

test('owners that come and go never exceed the rate of the route and its burst', () => {
  fc.assert(
    fc.property(cases, ({ rate, owners, changes, pauses }) => {
      fc.pre(owners <= rate)
      const at = admissions(listShares(testRoute('skt', { partsPerSecond: rate, owners })), changes, pauses)
      // Each owner can admit one part at the same moment, which only matters when the burst is smaller than that.
      const burst = Math.max((rate * defaultBurstMs) / 1000 + 1, owners)
      // The owner of an unshared route starts with a full burst, and each change can start a new owner.
      assertRate(at, rate, owners === 1 ? burst + changes.length * burst : burst)
    }),
    { numRuns: 300 },
  )
})

test('the owners together reach the rate exactly, whatever the number of owners', () => {
  for (const rate of [7, 100, 999])
    for (const owners of [1, 2, 3, 7]) {
      const shares = listShares(testRoute('skt', { partsPerSecond: rate, owners }))
      const at = admissions(shares, [], [])
      const expected = (rate * durationMs) / 1000
      const burst = (rate * defaultBurstMs) / 1000 + owners
      assert.ok(at.length >= expected - owners, `${at.length} of ${expected} with ${owners} owners`)
      assert.ok(at.length <= expected + burst, `${at.length} of ${expected} with ${owners} owners`)
      assert.ok(Math.abs(shares.reduce((sum, share) => sum + share.partsPerSecond, 0) - rate) < 1e-9)
    }
})

test('a route with one owner may start with one part and a burst', () => {
  const [only] = listShares(testRoute('skt', { partsPerSecond: 100 }))
  const pacer = createPacer(only!, 50_000)
  let admitted = 0
  for (; pacer.nextAt(50_000) <= 50_000; admitted++) pacer.consume(1, 100)
  assert.equal(admitted, 11)
})
