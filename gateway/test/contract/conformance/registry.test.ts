import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../../support/processes/program.ts'
import { pairRowsWithTests, prove } from './prove.ts'
import { countRows, toRowName, toUnprovenLine, type ContractRow } from './row.ts'
import { rows, unproven } from './rows.ts'

const entry = (id: string, name = id): ContractRow => ({
  id,
  section: 'A section',
  row: name,
  proof: `of ${id}`,
})
const nothing = (): Promise<void> => Promise.resolve()

test('rejects an entry without a test, a test without an entry, a repeated entry, and a second test of one', () => {
  prove('one', nothing)
  assert.equal(pairRowsWithTests([entry('one')]).length, 1)
  assert.throws(() => pairRowsWithTests([entry('one'), entry('two')]), /row two has no test/)
  assert.throws(() => pairRowsWithTests([]), /test one has no row/)
  assert.throws(() => pairRowsWithTests([entry('one'), entry('one')]), /duplicate row one/)
  assert.throws(() => prove('one', nothing), /row one has two tests/)
})

test('a row, which can have several entries, is proven only if all their tests passed', () => {
  const [half, other, whole] = [entry('a', 'half'), entry('b', 'half'), entry('c', 'whole')]
  const proven = new Set([half, whole])
  assert.deepEqual(countRows([half, other, whole], proven), { all: 2, good: 1 })
})

test('every entry of the contract has a unique ID and a unique statement', () => {
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
  assert.equal(new Set(rows.map(toRowName)).size, rows.length)
})

test('the page has the counts of rows, tests and statements, and lists what is not proven', () => {
  const page = readFileSync(join(projectRoot, 'docs/evidence/conformance.md'), 'utf8')
  const { all } = countRows(rows, new Set())
  const [introduction = '', list = ''] = page.split('## ')
  assert.deepEqual(
    introduction.match(/\d+/g),
    [all + unproven.length, all, rows.length, unproven.length].map(String),
  )
  assert.deepEqual(list.match(/^- .*$/gm), unproven.map(toUnprovenLine))
})
