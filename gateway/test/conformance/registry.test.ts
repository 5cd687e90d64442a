/** Every row has a test, and a row is proven only when all its tests pass. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pairUp, prove } from './prove.ts'
import type { Row } from './row.ts'
import { rows } from './rows.ts'
import { countRows, toPage } from './result-page.ts'

const row = (id: string, name = id): Row => ({ id, section: 'A section', row: name, proof: `of ${id}` })
const nothing = (): Promise<void> => Promise.resolve()

test('rejects a row without a test, a test without a row, and a duplicate row', () => {
  prove('one', nothing)
  assert.equal(pairUp([row('one')]).length, 1)
  assert.throws(() => pairUp([row('one'), row('two')]), /row two has no test/)
  assert.throws(() => pairUp([]), /the test one has no row/)
  assert.throws(() => pairUp([row('one'), row('one')]), /row one is there twice/)
  assert.throws(() => prove('one', nothing), /row one has two tests/)
})

test('a row counts as proven only when all its tests have passed', () => {
  const [half, other, whole] = [row('a', 'half'), row('b', 'half'), row('c', 'whole')]
  const proven = new Set([half, whole])
  assert.deepEqual(countRows([half, other, whole], proven), { all: 2, good: 1 })
  assert.match(toPage([half, other, whole], proven, []), /`b`: of b \| \*\*failed\*\*/)
})

test('every row of the contract has an id, a name and a proof of its own', () => {
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
  const names = rows.map(({ section, row: name, proof }) => `${section} · ${name}: ${proof}`)
  assert.equal(new Set(names).size, rows.length)
})
