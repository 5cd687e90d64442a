/** The committed schema is what the migrations make, and a file that differs is reported. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createEmptyDatabase } from '../../test/support/database.ts'
import { maintainPartitions } from '../../src/records/partitions.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { describeSchema } from './describe.ts'
import { findDrift } from './drift.ts'

const committed = readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8')
const { database } = await createEmptyDatabase()
await migrate(database)

test('the committed schema is the one that the migrations make', async () => {
  assert.equal(findDrift(await describeSchema(database), committed), null)
})

test('day partitions change nothing', async () => {
  await maintainPartitions(database, 30, new Date())
  assert.equal(await describeSchema(database), committed)
})

test('the text is SQL that makes the same schema again', async () => {
  const { database: copy } = await createEmptyDatabase()
  // Tables are listed in alphabetical order: one that refers to a later one is made after it.
  let left = committed.split('\n\n')
  while (left.length > 0) {
    const postponed: string[] = []
    for (const statement of left)
      await copy.query(statement).catch((error: unknown) => {
        if ((error as { code?: string }).code !== undefinedTable) throw error
        postponed.push(statement)
      })
    assert.ok(postponed.length < left.length, postponed[0])
    left = postponed
  }
  assert.equal(withoutComments(await describeSchema(copy)), withoutComments(committed))
})

const undefinedTable = '42P01'

function withoutComments(sql: string): string {
  return sql.replaceAll(/^ *--.*\n/gm, '')
}

test('a changed column is in the text', async () => {
  await database.query('alter table number_ranges alter carrier drop not null')
  const drift = findDrift(await describeSchema(database), committed)
  assert.match(drift!, /^gateway\/schema\.sql differs from the migrations at line \d+; run: npm run schema\n/)
  assert.match(drift!, /migrations: {3}carrier text,\n {2}file: {9}carrier text not null,$/)
})

test('a file that was edited or cut short is reported', () => {
  const schema = 'create table a (\n  id integer\n);\n'
  assert.equal(findDrift(schema, schema), null)
  assert.match(findDrift(schema, schema.replace('integer', 'bigint'))!, /at line 2;/)
  assert.match(findDrift(schema, `${schema}-- more\n`)!, /at line 4;.*\n.*migrations: \n.*file: {7}-- more$/s)
  assert.match(findDrift(schema, '')!, /at line 1;/)
})
