import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEmptyDatabase } from '../../../test/support/engines/database.ts'
import { columns, queryBulk } from './bulk.ts'

const { database } = await createEmptyDatabase()

test('a batch becomes one array per column, in the order of the rows', () => {
  const rows = [
    { key: 'a', count: 1 },
    { key: 'b', count: 2 },
    { key: 'c', count: 3 },
  ]
  assert.deepEqual(
    columns(rows, (row, index) => [index, row.key, row.count * 10]),
    [
      [0, 1, 2],
      ['a', 'b', 'c'],
      [10, 20, 30],
    ],
  )
})

test('a misspelled column does not compile', () => {
  // @ts-expect-error: no such property
  columns([{ key: 'a' }], (row) => [row.kye])
})

test('arrays precede single values; undefined becomes null', async () => {
  const rows: { key: string; count?: number }[] = [{ key: 'a', count: 1 }, { key: 'b' }]
  const found = await queryBulk(database, {
    name: 'bulk-test',
    text: 'select key, count, $3::int as added from unnest($1::text[], $2::int[]) as r (key, count)',
    columns: columns(rows, (row) => [row.key, row.count]),
    values: [7],
  })
  assert.deepEqual(found, [
    { key: 'a', count: 1, added: 7 },
    { key: 'b', count: null, added: 7 },
  ])
})

test('an empty batch is not sent', async () => {
  const nothing: { key: string }[] = []
  const found = await queryBulk(database, {
    text: 'this is not SQL',
    columns: columns(nothing, (row) => [row.key]),
  })
  assert.deepEqual(found, [])
})
