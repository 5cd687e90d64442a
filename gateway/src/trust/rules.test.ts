/** The list of rules is complete and true: every rule names an existing test, and a new installation begins as it says. */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createEmptyDatabase } from '../../test/support/database.ts'
import { createAccount } from '../../test/support/fixtures.ts'
import { migrate } from '../platform/migrate.ts'
import { omittedRules, rules, switchedRules } from './rules.ts'
import { readSwitches } from './switches.ts'

const root = join(import.meta.dirname, '../../..')

test('every rule names an existing test, and no two have the same name', () => {
  const ids = [...rules, ...omittedRules].map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  for (const { id, test: file } of rules) assert.ok(existsSync(join(root, file)), `${id}: ${file}`)
})

test('a rule that is judged at submission has a cause, one at accept a code', () => {
  for (const { id, enforcedAt, code, cause } of rules.filter((rule) => rule.id !== 'origin-code-unchanged')) {
    const places: readonly string[] = enforcedAt
    assert.equal(places.includes('accept'), code !== undefined, id)
    assert.equal(places.includes('submission'), cause !== undefined, id)
  }
})

test('a new installation begins with the rules on, and one in use as it was', async () => {
  const { database } = await createEmptyDatabase()
  await migrate(database)
  const expected = (which: 'newInstallation' | 'upgraded'): string[] =>
    rules.filter(({ on }) => on?.[which] === true).map(({ id }) => id)
  const on = async (): Promise<string[]> =>
    (await readSwitches(database)).filter(({ enabled }) => enabled).map(({ rule }) => rule)
  assert.deepEqual((await on()).sort(), expected('newInstallation').sort())
  assert.ok(switchedRules.length > expected('newInstallation').length)

  // The same statements in a database with an account.
  await createAccount(database, 'earlier', {})
  await database.query('delete from trust_rules')
  for (const file of globSync(join(root, 'gateway/migrations/*.sql')))
    for (const [statement] of readFileSync(file, 'utf8').matchAll(/insert into trust_rules[^;]*;/g))
      await database.query(statement)
  assert.deepEqual(await on(), expected('upgraded'))
})
