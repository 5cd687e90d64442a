/** Sliding counts: bounded, and an account with many recipients makes room at its own expense. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hashOf } from './key-hash.ts'
import { SlidingCounts } from './velocity.ts'

test('one large sender does not make the process forget the counts of other accounts', () => {
  const counts = new SlidingCounts(3_600_000, 1_000)
  for (let n = 0; n < 19; n++) counts.add(1, 'often', 0)
  for (let n = 0; n < 5_000; n++) counts.add(2, `other ${n}`, 0)
  assert.equal(counts.count(1, 'often', 0), 19)
  assert.deepEqual([counts.count(2, 'other 0', 0), counts.count(2, 'other 4999', 0)], [0, 1])
})

test('the bound holds over many accounts, and a large one that has stopped makes room for new ones', () => {
  const counts = new SlidingCounts(3_600_000, 1_000)
  for (let n = 0; n < 600; n++) counts.add(1, `first ${n}`, 0)
  for (let n = 0; n < 390; n++) counts.add(2, `second ${n}`, 0)
  for (let n = 0; n < 500; n++) counts.add(3 + (n % 50), `new ${n}`, 0)
  assert.equal(counts.size, 1_000)
  for (let n = 0; n < 500; n++) assert.equal(counts.count(3 + (n % 50), `new ${n}`, 0), 1)
})

test('counts what was added in the window and not removed, whatever the order', () => {
  const slotMs = 300_000
  const step = fc.record({
    kind: fc.constantFrom('add', 'add', 'remove', 'count'),
    ...{
      accountId: fc.nat(2),
      key: fc.nat(40),
      passMs: fc.constantFrom(0, 0, 1, slotMs, 5 * slotMs, 13 * slotMs),
    },
    back: fc.nat(3),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const counts = new SlidingCounts(12 * slotMs)
      const added: { accountId: number; key: number; at: number }[] = []
      let now = 1_000 * slotMs
      for (const { kind, accountId, key, passMs, back } of steps) {
        now += passMs
        const own = (one: (typeof added)[number]): boolean => one.accountId === accountId && one.key === key
        const last = added.filter(own).at(-1 - back)
        if (kind === 'add') {
          counts.add(accountId, String(key), now)
          added.push({ accountId, key, at: now })
        } else if (kind === 'remove' && last !== undefined) {
          counts.remove(accountId, String(key), last.at)
          added.splice(added.indexOf(last), 1)
        }
        const first = Math.floor(now / slotMs) - 12
        const expected = added.filter((one) => own(one) && Math.floor(one.at / slotMs) > first).length
        assert.equal(counts.count(accountId, String(key), now), expected)
      }
    }),
    { numRuns: 200 },
  )
})

test('rooms of keys that were forgotten are used again, and the newest keys stay', () => {
  const counts = new SlidingCounts(3_600_000, 100)
  for (let n = 0; n < 10_000; n++) {
    counts.add(n % 3, `key ${n}`, 0)
    if (n % 7 === 0) counts.add(n % 3, `key ${Math.max(0, n - 30)}`, 0)
  }
  assert.equal(counts.size, 100)
  for (let n = 9_980; n < 10_000; n++) assert.equal(counts.count(n % 3, `key ${n}`, 0), 1)
})

test('the hashes of 200,000 numbers in a row differ', () => {
  const hashes = new Set<number>()
  for (let n = 0; n < 200_000; n++) hashes.add(hashOf(1, `010${String(20_000_000 + n)}`))
  assert.equal(hashes.size, 200_000)
})
