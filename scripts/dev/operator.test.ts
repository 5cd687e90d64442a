import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { ensureOperator, readOperator, type RunJson } from './operator.ts'

const local = 'postgres://postern@127.0.0.1:5432/postern'

function fileFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'postern-operator-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'operator.json')
}

/** Answers the commands that are known; the others fail. */
function runOf(answers: Readonly<Record<string, object>>, ran: string[] = []): RunJson {
  return (args) => {
    const name = Object.keys(answers).find((known) => args.join(' ').startsWith(known))
    ran.push(args.slice(0, 2).join(' '))
    return name === undefined
      ? Promise.reject(new Error('refused'))
      : Promise.resolve(answers[name] as Record<string, unknown>)
  }
}

test('nobody is let in to a database on another machine, and no command is run', async (t) => {
  const ran: string[] = []
  for (const url of ['postgres://db.example.com/postern', 'postgres://127.0.0.1.example.com/postern'])
    assert.equal(await ensureOperator(runOf({ 'operator add': { key: 'k' } }, ran), url, fileFor(t)), null)
  assert.deepEqual(ran, [])
})

test('nobody is let in to an installation with operators of others', async (t) => {
  const file = fileFor(t)
  assert.equal(await ensureOperator(runOf({}), local, file), null)
  assert.equal(readOperator(file), null)
})

test('the first run adds the operator and replaces its first key; the next one uses it', async (t) => {
  const file = fileFor(t)
  const added = await ensureOperator(
    runOf({ 'operator add developer --role admin': { key: 'first' }, 'operator key rotate': { key: 'own' } }),
    local,
    file,
  )
  assert.equal(added?.key, 'own')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const again = runOf({ 'operator list': { operators: [{ name: 'developer' }] } })
  assert.deepEqual(await ensureOperator(again, local, file), added)
})

test('a key that is lost is recovered by the owner of the database', async (t) => {
  const run = runOf({ 'operator recover developer': { key: 'first' }, 'operator key rotate': { key: 'own' } })
  assert.equal((await ensureOperator(run, local, fileFor(t)))?.key, 'own')
})
