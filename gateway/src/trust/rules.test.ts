import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createEmptyDatabase } from '../../test/support/engines/database.ts'
import { migrate } from '../platform/database/migrate.ts'
import { rules, switchedRules } from './rules.ts'
import { readSwitches } from './switches.ts'

test('docs/reference/rules.md names the source of every rule, once', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/rules.md'), 'utf8')
  const [, sources] = page.split('\n## Sources\n')
  const documented = [...sources!.matchAll(/`([a-z-]+)`/g)].map(([, id]) => id!)
  assert.deepEqual(documented.toSorted(), rules.map(({ id }) => id).toSorted())
})

/** These rules have no code or cause of their own. */
const withoutOwnCode: ReadonlySet<string> = new Set([
  'origin-code-unchanged',
  'urgent-only-for-codes',
  'suspicion-held',
  'batch-paused',
])

test('a rule has a code exactly if it is checked at accept, and a cause exactly if it is checked at submission', () => {
  for (const { id, enforcedAt, code, cause } of rules.filter(({ id }) => !withoutOwnCode.has(id))) {
    assert.equal(enforcedAt.includes('accept'), code !== undefined, id)
    assert.equal(enforcedAt.includes('submission'), cause !== undefined, id)
  }
})

test('a new installation has exactly the rules with `initiallyOn` enabled', async () => {
  const { database } = await createEmptyDatabase()
  await migrate(database)
  const enabled = (await readSwitches(database)).filter((row) => row.enabled).map(({ rule }) => rule)
  const expected = rules.filter(({ initiallyOn }) => initiallyOn === true).map(({ id }) => id)
  assert.deepEqual(enabled.toSorted(), expected.toSorted())
  assert.ok(switchedRules.length > expected.length)
})
