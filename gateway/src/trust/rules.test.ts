/** The list of rules is complete and true: every rule names an existing test, and a new installation begins as it says. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createEmptyDatabase } from '../../test/support/database.ts'
import type { Database } from '../platform/database.ts'
import { migrate } from '../platform/migrate.ts'
import { omittedRules, rules, switchedRules } from './rules.ts'
import { readSwitches } from './switches.ts'

const root = join(import.meta.dirname, '../../..')

test('every rule names an existing test, and no two have the same name', () => {
  const ids = [...rules, ...omittedRules].map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  for (const { id, test: files } of rules)
    for (const file of [files].flat()) assert.ok(existsSync(join(root, file)), `${id}: ${file}`)
})

/** They say how a message is sent or what becomes of it, not whether it is accepted. */
const refusesNothing: ReadonlySet<string> = new Set([
  ...['origin-code-unchanged', 'urgent-only-for-codes', 'suspicion-held'],
])

test('a rule that is judged at submission has a cause, one at accept a code', () => {
  for (const { id, enforcedAt, code, cause } of rules.filter(({ id }) => !refusesNothing.has(id))) {
    const places: readonly string[] = enforcedAt
    assert.equal(places.includes('accept'), code !== undefined, id)
    assert.equal(places.includes('submission'), cause !== undefined, id)
  }
})

const expected = rules.filter((rule) => rule.on?.newInstallation === true).map(({ id }) => id)
const on = async (database: Database): Promise<string[]> =>
  (await readSwitches(database)).filter(({ enabled }) => enabled).map(({ rule }) => rule)

test('a new installation begins with the rules on', async () => {
  const { database } = await createEmptyDatabase()
  await migrate(database)
  assert.deepEqual((await on(database)).sort(), expected.toSorted())
  assert.ok(switchedRules.length > expected.length)
})
