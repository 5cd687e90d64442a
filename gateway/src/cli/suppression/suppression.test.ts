/** `postern suppression` as an operator runs it, and its rows in the audit log. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { runCommand } from '../../../test/support/command.ts'
import { createTestDatabase } from '../../../test/support/engines/database.ts'
import { createAccount } from '../../../test/support/fixtures.ts'

const { database, url: databaseUrl } = await createTestDatabase()
const environment = { POSTERN_DATABASE_URL: databaseUrl, POSTERN_TOKEN_SECRET: 'x'.repeat(32) }
const folder = mkdtempSync(join(tmpdir(), 'postern-suppression-'))
addCleanup(() => rmSync(folder, { recursive: true }))
await createAccount(database, 'shop')

async function run(...args: string[]): Promise<Record<string, unknown>> {
  const { exitCode, stdout, stderr } = await runCommand(environment, 'suppression', ...args, '--json')
  assert.equal(exitCode, 0, stderr)
  return JSON.parse(stdout) as Record<string, unknown>
}
async function fails(exit: number, message: RegExp, ...args: string[]): Promise<void> {
  const { exitCode, stderr } = await runCommand(environment, 'suppression', ...args)
  assert.equal(exitCode, exit, stderr)
  assert.match(stderr, message)
}
const shop = ['--account', 'shop', '--reason', 'test']

test('the audit log identifies the recipient of a change or access without the number', async () => {
  const to = '01033330001'
  const path = join(folder, 'opt-outs.txt')
  writeFileSync(path, `${to}\n`)
  await run('import', path, ...shop)
  await run('remove', to, '--account', 'shop', '--reason', 'cleanup')
  const { index, state, reason, history } = await run('show', to, ...shop)
  assert.deepEqual([state, reason], ['none', 'cleanup'])
  const [previous, ...rest] = history as { state: string; source: string; reason: string }[]
  assert.deepEqual(
    [previous?.state, previous?.source, previous?.reason, rest.length],
    ['suppressed', 'operator', 'test', 0],
  )
  const { rows } = await database.query<{ action: string; result: string; details: object }>(
    `select action, result, details from audit_log where details::text like $1 order by seq`,
    [`%${String(index)}%`],
  )
  assert.deepEqual(
    rows.map(({ action, result }) => `${action} ${result}`),
    ['import begun', 'import done', 'remove begun', 'remove done', 'show looked'].map(
      (row) => `suppression ${row}`,
    ),
  )
  const records = await database.query('select details, target from audit_log')
  assert.doesNotMatch(JSON.stringify(records.rows), /0333300/)
})

test('the audit log omits the hash of a file that would reveal a number', async () => {
  const path = join(folder, 'hashed.txt')
  const recorded = async (numbers: readonly string[]): Promise<unknown[]> => {
    writeFileSync(path, `${numbers.join('\n')}\n`)
    await run('import', path, ...shop)
    const { rows } = await database.query<{ hash: string | null }>(
      `select details->>'fileSha256' as hash from audit_log where action = 'suppression import' order by seq desc limit 2`,
    )
    return rows.map(({ hash }) => hash)
  }
  const numbers = Array.from({ length: 11 }, (_, n) => `010444400${10 + n}`)
  assert.deepEqual(await recorded(numbers.slice(0, 1)), [null, null])
  assert.deepEqual(await recorded(numbers.slice(0, 10)), [null, null])
  // A file with one number in each line: its hash is found as easily as that of one number.
  assert.deepEqual(await recorded(numbers.map(() => numbers[0]!)), [null, null])
  const hash = createHash('sha256')
    .update(`${numbers.join('\n')}\n`)
    .digest('hex')
  assert.deepEqual(await recorded(numbers), [hash, hash])
})

test('a failed import reports and records the stored numbers', async (t) => {
  await database.query(
    `create function refuse_more() returns trigger language plpgsql as
       'begin if (select count(*) from recipient_choices) > 1000 then raise exception ''no room''; end if; return null; end'`,
  )
  await database.query(
    'create trigger refuse_more after insert on recipient_choices for each statement execute function refuse_more()',
  )
  t.after(() => database.query('drop function refuse_more cascade'))
  await database.query('delete from recipient_choices')
  const path = join(folder, 'many.txt')
  const numbers = Array.from({ length: 1_001 }, (_, n) => `0104444${String(n).padStart(4, '0')}`)
  writeFileSync(path, numbers.join('\n'))
  await fails(1, /1000 of 1001 numbers/, 'import', path, ...shop)
  const { rows } = await database.query(
    `select result, details->'changed' as changed from audit_log where result <> 'begun' order by seq desc limit 2`,
  )
  assert.deepEqual(rows, [
    { result: 'failed', changed: 0 },
    { result: 'done', changed: 1_000 },
  ])
})
