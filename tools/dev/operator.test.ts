import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { ensureOperator, readOperator, saveOperator, type RunJson } from './operator.ts'

const local = 'postgres://postern@127.0.0.1:5432/postern'

function fileFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'postern-operator-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'operator.json')
}

/** Returns the given responses of commands; all other commands fail. */
function createRun(responses: Readonly<Record<string, object>>, ran: string[] = []): RunJson {
  return (args) => {
    const name = Object.keys(responses).find((known) => args.join(' ').startsWith(known))
    ran.push(args.slice(0, 2).join(' '))
    return name === undefined
      ? Promise.reject(new Error('refused'))
      : Promise.resolve(responses[name] as Record<string, unknown>)
  }
}

test('a database on another machine gets no operator, and no command runs', async (t) => {
  const ran: string[] = []
  const elsewhere = [
    'postgres://db.example.com/postern',
    'postgres://127.0.0.1.example.com/postern',
    `${local}?host=db.example.com`,
    `${local}?hostaddr=192.0.2.1`,
  ]
  for (const url of elsewhere)
    assert.equal(
      await ensureOperator(createRun({ 'operator add': { key: 'k' } }, ran), url, fileFor(t)),
      null,
    )
  assert.deepEqual(ran, [])
})

test('an installation with other operators gets no operator', async (t) => {
  const file = fileFor(t)
  assert.equal(await ensureOperator(createRun({}), local, file), null)
  assert.equal(readOperator(file), null)
})

test('the first run adds the operator and replaces its key; later runs reuse it', async (t) => {
  const file = fileFor(t)
  const added = await ensureOperator(
    createRun({
      'operator add developer --role admin': { key: 'first' },
      'operator key rotate': { key: 'own' },
    }),
    local,
    file,
  )
  assert.equal(added?.key, 'own')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const again = createRun({ 'operator list': { items: [{ name: 'developer' }] } })
  assert.deepEqual(await ensureOperator(again, local, file), added)
})

const recovering = () =>
  createRun({ 'operator recover developer': { key: 'first' }, 'operator key rotate': { key: 'own' } })
const stored = { name: 'developer', key: 'old', password: '', totpSecret: '', totpStep: 0 }

test('a rejected key is recovered only for the database that issued it', async (t) => {
  const file = fileFor(t)
  saveOperator(file, { ...stored, database: '127.0.0.1:5432/postern' })
  assert.equal((await ensureOperator(recovering(), local, file))?.key, 'own')
})

test('an existing operator of the same name is kept if no file proves ownership', async (t) => {
  const file = fileFor(t)
  assert.equal(await ensureOperator(recovering(), local, file), null)
  saveOperator(file, { ...stored, database: '127.0.0.1:5432/other' })
  assert.equal(await ensureOperator(recovering(), local, file), null)
  assert.equal(readOperator(file)?.key, 'old')
})
