import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { glob, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { runLinter } from '../lint/run-linter.ts'
import { projectRoot } from '../../engines/paths.ts'
import { findImportCycles } from './cycles.ts'
import { readImports } from './imports.ts'
import { folderOrder, forbiddenImport, isListedFolder, innerOrders } from './order.ts'
import { findTables, findTableWriters } from './tables.ts'

/** Returns the messages of the import rule for each file. */
async function lint(files: Readonly<Record<string, string>>): Promise<string[]> {
  const findings = await runLinter(files)
  return findings.filter(({ code }) => code === 'postern(import-order)').map(({ message }) => message)
}

/** Creates a temporary folder with these files; it is removed when the test ends. */
async function createFiles(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'architecture-'))
  after(() => rm(root, { recursive: true }))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(root, dirname(path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  return root
}

test('the linter reports an import against the folder order', async () => {
  const [message, ...others] = await lint({
    'gateway/src/records/reports/poll.ts':
      "import { settleBatch } from '../../pipeline/settle/batch.ts'\nsettleBatch()\n",
    'gateway/src/records/reports/allowed.ts':
      "import type { Database } from '../../platform/database/database.ts'\nexport type D = Database\n",
  })
  assert.match(message!, /^records\/reports\/ must not import from pipeline\/settle\//)
  assert.deepEqual(others, [])
})

test('type imports, dynamic imports and re-exports against the order are reported', async () => {
  const sources = [
    "import type { Account } from '../../identity/accounts/account.ts'\nexport type A = Account\n",
    "export { requireAccount } from '../../identity/accounts/request-account.ts'\n",
    "export * from '../../identity/accounts/account.ts'\n",
    "await import('../../identity/accounts/account.ts')\n",
  ]
  const files = sources.map(
    (source, index) => [`gateway/src/platform/logging/log-${index}.ts`, source] as const,
  )
  assert.equal((await lint(Object.fromEntries(files))).length, sources.length)
})

test('stages never import each other', () => {
  assert.match(
    forbiddenImport('pipeline/settle/settle.ts', 'pipeline/intake/intake.ts') ?? '',
    /must not import each other: pass work on/,
  )
  assert.equal(forbiddenImport('pipeline/settle/settle.ts', 'pipeline/scheduling/outbox.ts'), null)
})

test('a channel imports only its fallback channels and shared code', () => {
  const rcs = 'channels/rcs/fallback.ts'
  for (const imported of ['mms/limits.ts', 'sms/sms.ts', 'text/bytes.ts', 'issues.ts', 'rcs/limits.ts'])
    assert.equal(forbiddenImport(rcs, `channels/${imported}`), null, imported)
  assert.equal(forbiddenImport('channels/registry.ts', 'channels/rcs/channel.ts'), null)
  assert.match(forbiddenImport(rcs, 'channels/alimtalk/limits.ts') ?? '', /must not import each other/)
  assert.match(
    forbiddenImport('channels/sms/sms.ts', 'channels/mms/mms.ts') ?? '',
    /must not import each other/,
  )
  assert.match(forbiddenImport('channels/text/bytes.ts', 'channels/sms/sms.ts') ?? '', /which comes after it/)
  assert.match(
    forbiddenImport('channels/rcs/rcs.ts', 'records/waiting/read-waiting.ts') ?? '',
    /comes after it/,
  )
  assert.match(forbiddenImport('jobs/jobs.ts', 'carriers/connectors/smpp/link.ts') ?? '', /comes after it/)
})

test('an unlisted folder must neither import nor be imported', () => {
  const fault = 'billing/ is missing from folderOrder'
  assert.equal(forbiddenImport('billing/x.ts', 'cli/run.ts'), fault)
  assert.equal(forbiddenImport('billing/x.ts', 'billing/y.ts'), fault)
  assert.equal(forbiddenImport('cli/run.ts', 'billing/x.ts'), fault)
  assert.equal(
    forbiddenImport('channels/fax/fax.ts', 'channels/fields.ts'),
    'channels/fax/ is missing from folderOrder',
  )
})

test('top-level files import every folder, and no folder imports them', () => {
  assert.equal(forbiddenImport('cli.ts', 'cli/run.ts'), null)
  assert.equal(
    forbiddenImport('cli/run.ts', 'cli.ts'),
    'cli/ must not import cli.ts, which starts the program',
  )
})

test('the order lists exactly the existing folders', async () => {
  const source = join(projectRoot, 'gateway/src')
  const listed = [folderOrder, ...Object.values(innerOrders)].flat(2)
  for (const folder of listed) assert.ok(existsSync(join(source, folder)), folder)
  for await (const file of glob('**/*.ts', { cwd: source })) {
    const folder = dirname(file)
    assert.ok(folder === '.' || isListedFolder(folder), `${folder} is not listed`)
  }
})

test('every form of import is read, except imports of packages and unknown files', async () => {
  const root = await createFiles({
    'a/one.ts': `import { readFile } from 'node:fs'
import { two } from './two.ts'
import type { Three } from '../b/three.ts'
export * from '../b/four.ts'
export const later = () => import('../b/five.ts')
import './missing.ts'`,
    'a/two.ts': '',
    'b/three.ts': "// import './four.ts'",
    'b/four.ts': "export const text = `import './five.ts'`",
    'b/five.ts': '',
  })
  const graph = await readImports(root, ['a/**/*.ts', 'b/**/*.ts'])
  assert.deepEqual([...graph.get('a/one.ts')!].sort(), ['a/two.ts', 'b/five.ts', 'b/four.ts', 'b/three.ts'])
  assert.deepEqual([graph.get('b/three.ts'), graph.get('b/four.ts')], [[], []])
})

test('the tables that the migrations create are found', () => {
  const tables = findTables(join(projectRoot, 'gateway/migrations'))
  for (const table of ['in_flight', 'route_states', 'report_sequences', 'erasure_progress'])
    assert.ok(tables.has(table), table)
})

test('a second writer of a table is found for every kind of statement', async () => {
  const tables = new Set(['reports', 'waiting'])
  for (const statement of [
    'insert into reports (seq) values (1)',
    'insert into\n  reports (seq) values (1)',
    'update reports set seq = 1',
    'update only reports set seq = 1',
    'delete from reports where seq = 1',
    'with old as (delete\n from reports returning 1) select 1',
    'truncate reports',
    'truncate table reports',
    'merge into reports using waiting on true when matched then delete',
  ]) {
    const root = await createFiles({
      'owner/a.ts': 'query(`insert into reports (seq) values (1)`)',
      'other/b.ts': `query(\`${statement}\`)`,
      'reader/c.ts': 'query(`select from reports, waiting for update`)',
    })
    const writers = findTableWriters(root, ['owner/a.ts', 'other/b.ts', 'reader/c.ts'], tables)
    assert.deepEqual([...writers], [['reports', new Set(['owner', 'other'])]], statement)
  }
})

test('a cycle of files and a cycle of folders are reported with their members', () => {
  const cycles = findImportCycles(
    new Map([
      ['a/one.ts', ['a/two.ts', 'b/x.ts']],
      ['a/two.ts', ['a/one.ts']],
      ['b/x.ts', ['c/y.ts']],
      ['c/y.ts', ['a/two.ts']],
      // A file may import its own folder in one direction.
      ['d.ts', ['d/inside.ts']],
      ['d/inside.ts', []],
    ]),
  )
  assert.deepEqual(
    cycles.map(({ folder, entries }) => [folder, entries]),
    [
      ['', ['a', 'b', 'c']],
      ['a', ['one.ts', 'two.ts']],
    ],
  )
})

test('the code of this repository has no violation', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['tools/check/architecture.ts'], {
    cwd: projectRoot,
  })
  assert.match(stdout, /, 0 faults/)
})
