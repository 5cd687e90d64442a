/** ARCHITECTURE.md names every table: who adds one says there which folder writes it, what it holds and how long it is kept. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findTables } from '../architecture/tables.ts'
import { projectRoot } from '../services/paths.ts'

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8')

test('every table of the schema has a row in ARCHITECTURE.md', () => {
  const tables = [...findTables(join(projectRoot, 'gateway/migrations'))]
  assert.ok(tables.length > 50, `${tables.length} tables`)
  const rows = read('ARCHITECTURE.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|')[1])
    .join()
  assert.deepEqual(
    tables.filter((name) => !rows.includes(`\`${name}\``)),
    [],
  )
})
