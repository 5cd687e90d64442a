import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pairRowsWithTests, prove } from './prove.ts'
import { countRows, toRowName, type ContractRow } from './row.ts'
import { rows } from './rows.ts'

const row = (id: string, name = id): ContractRow => ({
  id,
  section: 'A section',
  row: name,
  proof: `of ${id}`,
})
const nothing = (): Promise<void> => Promise.resolve()

test('rejects a row without a test, a test without a row, and a duplicate row', () => {
  prove('one', nothing)
  assert.equal(pairRowsWithTests([row('one')]).length, 1)
  assert.throws(() => pairRowsWithTests([row('one'), row('two')]), /row two has no test/)
  assert.throws(() => pairRowsWithTests([]), /test one has no row/)
  assert.throws(() => pairRowsWithTests([row('one'), row('one')]), /duplicate row one/)
  assert.throws(() => prove('one', nothing), /row one has two tests/)
})

test('a row is proven only if all its tests passed', () => {
  const [half, other, whole] = [row('a', 'half'), row('b', 'half'), row('c', 'whole')]
  const proven = new Set([half, whole])
  assert.deepEqual(countRows([half, other, whole], proven), { all: 2, good: 1 })
})

test('every row of the contract has a unique ID and name', () => {
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
  assert.equal(new Set(rows.map(toRowName)).size, rows.length)
})
