/** The architecture rules find every kind of violation, and the code has none. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { glob, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { runLinter } from '../lint/run-linter.ts'
import { projectRoot } from '../services/paths.ts'
import { findCircles } from './circles.ts'
import { readImports } from './imports.ts'
import { folderOrder, forbiddenImport, hasPlace, innerOrders } from './order.ts'
import { findTables, findTableWriters } from './tables.ts'

/** What the rule of the linter says about each file. */
async function lint(files: Readonly<Record<string, string>>): Promise<string[]> {
  const findings = await runLinter(files)
  return findings.filter(({ code }) => code === 'postern(import-order)').map(({ message }) => message)
}

/** A folder with these files, removed at the end. */
async function createFiles(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'architecture-'))
  after(() => rm(root, { recursive: true }))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(root, dirname(path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
  return root
}

test('a wrong direction is an error of the linter', async () => {
  const [message, ...others] = await lint({
    'gateway/src/records/reports/poll.ts':
      "import { settleBatch } from '../../pipeline/settle/batch.ts'\nsettleBatch()\n",
    'gateway/src/records/reports/allowed.ts':
      "import type { Database } from '../../platform/database.ts'\nexport type D = Database\n",
  })
  assert.match(message!, /^records\/reports\/ must not import from pipeline\/settle\//)
  assert.deepEqual(others, [])
})

test('neither a type nor a dynamic import nor a re-export hides a wrong direction', async () => {
  const sources = [
    "import type { Account } from '../accounts/account.ts'\nexport type A = Account\n",
    "export { requireAccount } from '../accounts/request-account.ts'\n",
    "export * from '../accounts/account.ts'\n",
    "await import('../accounts/account.ts')\n",
  ]
  const files = sources.map((source, index) => [`gateway/src/platform/log-${index}.ts`, source] as const)
  assert.equal((await lint(Object.fromEntries(files))).length, sources.length)
})

test('stages never import each other', () => {
  assert.match(
    forbiddenImport('pipeline/settle/settle.ts', 'pipeline/intake/intake.ts') ?? '',
    /must not import each other: hand work on/,
  )
  assert.equal(forbiddenImport('pipeline/settle/settle.ts', 'pipeline/scheduling/outbox.ts'), null)
})

test('a channel imports only the channels that it falls back to and what it shares with others', () => {
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
  assert.match(forbiddenImport('jobs/jobs.ts', 'connectors/smpp/link.ts') ?? '', /comes after it/)
})

test('a folder without a place may neither import nor be imported', () => {
  const fault = 'billing/ has no place in the order of folders'
  assert.equal(forbiddenImport('billing/x.ts', 'commands/run.ts'), fault)
  assert.equal(forbiddenImport('billing/x.ts', 'billing/y.ts'), fault)
  assert.equal(forbiddenImport('commands/run.ts', 'billing/x.ts'), fault)
  assert.equal(
    forbiddenImport('channels/fax/fax.ts', 'channels/fields.ts'),
    'channels/fax/ has no place in the order of folders',
  )
})

test('files beside the folders import all, and no folder imports them', () => {
  assert.equal(forbiddenImport('cli.ts', 'commands/run.ts'), null)
  assert.equal(
    forbiddenImport('commands/run.ts', 'cli.ts'),
    'commands/ must not import cli.ts, which starts the program',
  )
})

test('every place of the order is a folder, and every folder has a place', async () => {
  const source = join(projectRoot, 'gateway/src')
  const listed = [folderOrder, ...Object.values(innerOrders)].flat(2)
  for (const folder of listed) assert.ok(existsSync(join(source, folder)), folder)
  for await (const file of glob('**/*.ts', { cwd: source })) {
    const folder = dirname(file)
    assert.ok(folder === '.' || hasPlace(folder), `${folder} has no place`)
  }
})

test('imports of every form are read, those of packages and unknown files are not', async () => {
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

test('the tables are those that the migrations create', () => {
  const tables = findTables(join(projectRoot, 'gateway/migrations'))
  for (const table of ['in_flight', 'route_states', 'report_sequences', 'erasure_progress'])
    assert.ok(tables.has(table), table)
})

test('a second writer of a table is found, however it writes', async () => {
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

test('the code of this repository has no violation', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/architecture.ts'], {
    cwd: projectRoot,
  })
  assert.match(stdout, /, 0 faults/)
})
