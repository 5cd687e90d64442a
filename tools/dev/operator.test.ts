/** Runs the commands of the gateway, each test on a database of its own. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { createRunJson } from './open-console.ts'
import { ensureOperator, readOperator, saveOperator, type RunJson } from './operator.ts'
import { createOwnDatabase } from '../engines/postgres/own-database.ts'
import { projectRoot } from '../engines/paths.ts'

interface DevelopmentDatabase {
  readonly url: string
  readonly run: RunJson
  /** Path of the file that stores the operator. */
  readonly file: string
}

async function openDatabase(t: TestContext): Promise<DevelopmentDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'postern-operator-'))
  const database = await createOwnDatabase(process.env.POSTERN_DATABASE_URL!)
  t.after(async () => {
    await database.drop()
    rmSync(folder, { recursive: true })
  })
  const run = createRunJson([process.execPath, join(projectRoot, 'gateway/src/main.ts')], {
    ...process.env,
    POSTERN_DATABASE_URL: database.url,
  })
  await run(['migrate'])
  return { url: database.url, run, file: join(folder, 'operator.json') }
}

const login = { password: 'a password', totpSecret: 'GEZDGNBV', totpStep: 1 }
const reason = ['--reason', 'test'] as const

test('a database on another machine gets no operator, and no command runs', async () => {
  const run: RunJson = (args) => assert.fail(args.join(' '))
  const local = 'postgres://postern@127.0.0.1:5432/postern'
  const elsewhere = [
    'postgres://db.example.com/postern',
    'postgres://127.0.0.1.example.com/postern',
    `${local}?host=db.example.com`,
    `${local}?hostaddr=192.0.2.1`,
  ]
  for (const url of elsewhere) assert.equal(await ensureOperator(run, url, '/nowhere'), null)
})

test('an installation with other operators gets no operator', async (t) => {
  const { run, url, file } = await openDatabase(t)
  await run(['operator', 'add', 'kim', '--role', 'admin', ...reason])
  assert.equal(await ensureOperator(run, url, file), null)
  assert.equal(readOperator(file), null)
})

test('the first run adds an operator, and later runs reuse it', async (t) => {
  const { run, url, file } = await openDatabase(t)
  const added = await ensureOperator(run, url, file)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(await ensureOperator(run, url, file), added)

  // A rejected key is recovered only for the database that issued it.
  const rejected = { ...added!, key: `${added!.key}x`, login }
  saveOperator(file, { ...rejected, database: '127.0.0.1:5432/other' })
  assert.equal(await ensureOperator(run, url, file), null)
  assert.equal(readOperator(file)?.key, rejected.key)
  saveOperator(file, rejected)
  const recovered = await ensureOperator(run, url, file)
  assert.deepEqual(recovered, { ...rejected, key: recovered!.key })
  await run(['operator', 'list'], recovered.key)
})
