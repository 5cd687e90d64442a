/** The rules of the structure catch what they are there to catch, and the code keeps them. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { Linter } from 'eslint'
import tseslint from 'typescript-eslint'
import { projectRoot } from '../services/paths.ts'
import { findCircles } from './circles.ts'
import { importOrder } from './lint-rule.ts'
import { folderOrder, forbiddenImport } from './order.ts'

const lint = (file: string, source: string): string[] => {
  const config = {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser },
    plugins: { postern: { rules: { 'import-order': importOrder } } },
    rules: { 'postern/import-order': 'error' },
  } satisfies Linter.Config
  return new Linter({ cwd: projectRoot })
    .verify(source, config, join(projectRoot, file))
    .map(({ message }) => message)
}

test('a wrong direction is an error of the linter', () => {
  const source = "import { settleBatch } from '../../pipeline/settle/batch.ts'\nsettleBatch()\n"
  const [message, ...others] = lint('gateway/src/records/reports/poll.ts', source)
  assert.match(message!, /^records\/reports\/ must not import from pipeline\/settle\//)
  assert.deepEqual(others, [])
  const allowed = "import type { Database } from '../../platform/database.ts'\nexport type D = Database\n"
  assert.deepEqual(lint('gateway/src/records/reports/poll.ts', allowed), [])
})

test('neither a type nor a dynamic import nor a re-export hides a wrong direction', () => {
  const file = 'gateway/src/platform/log.ts'
  for (const source of [
    "import type { Account } from '../accounts/account.ts'\nexport type A = Account\n",
    "export { requireAccount } from '../accounts/request-account.ts'\n",
    "export * from '../accounts/account.ts'\n",
    "await import('../accounts/account.ts')\n",
  ]) {
    assert.equal(lint(file, source).length, 1, source)
  }
})

test('stages never import each other', () => {
  assert.match(
    forbiddenImport('pipeline/settle/settle.ts', 'pipeline/intake/intake.ts') ?? '',
    /must not import each other/,
  )
  assert.equal(forbiddenImport('pipeline/settle/settle.ts', 'pipeline/scheduling/outbox.ts'), null)
})

test('every place of the order is a folder', () => {
  for (const folder of folderOrder) assert.ok(existsSync(join(projectRoot, 'gateway/src', folder)), folder)
})

test('a circle of files and a circle of folders are found where they meet', () => {
  const circles = findCircles(
    new Map([
      ['a/one.ts', ['a/two.ts', 'b/x.ts']],
      ['a/two.ts', ['a/one.ts']],
      ['b/x.ts', ['c/y.ts']],
      ['c/y.ts', ['a/two.ts']],
      // A file and its own folder, only downwards: no circle.
      ['d.ts', ['d/inside.ts']],
      ['d/inside.ts', []],
    ]),
  )
  assert.deepEqual(
    circles.map(({ folder, entries }) => [folder, entries]),
    [
      ['', ['a', 'b', 'c']],
      ['a', ['one.ts', 'two.ts']],
    ],
  )
})

test('the code of this repository keeps the rules', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/architecture.ts'], {
    cwd: projectRoot,
  })
  assert.match(stdout, /, 0 faults/)
})
