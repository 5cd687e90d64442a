/**
 * A sender file is imported over the admin API as on the database: checked completely, stored in parts, and
 * repeatable.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startBothWays } from '../../../test/support/http/both-ways.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { listAudit } from '../../identity/audit/queries.ts'
import { AdminClient } from '../client/client.ts'
import { HttpTransport } from '../client/http.ts'
import { importFile } from './import.ts'

const { adminUrl, keys, database, compare, onDatabase, overHttp, as } = await startBothWays()
await createAccount(database, 'shop')
await createAccount(database, 'cafe')
const folder = mkdtempSync(join(tmpdir(), 'postern-senders-'))
addCleanup(() => rmSync(folder, { recursive: true }))
const file = (name: string, lines: readonly string[]): string => {
  const titles = 'clientId,kind,value,validUntil,proofKind,proof,issued'
  writeFileSync(join(folder, name), [titles, ...lines].join('\n'))
  return join(folder, name)
}
const countSenders = async (): Promise<number> => (await database.query('select from senders')).rowCount!
const many = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `cafe,number,023${100_000 + n},,operator,"old system, page ${n}",`)

test('both backends import a file with proofs, and the last line of a sender applies', async () => {
  const list = file('list.csv', [
    'shop,number,02-9999-8888,2099-12-31,operator,"page 1, top",',
    '',
    'cafe,kakao-key,@cafe,,,,',
    'shop,number,0299998888,2099-12-31,operator,page 2,',
    'shop,number,0299998889,,operator,page 3,',
  ])
  const before = async () => {
    await database.query('delete from sender_changes; delete from senders')
    await as('support', 'sender', 'import', list)
  }
  const imported = await compare(['sender', 'import', list, '--approve'], { before })
  assert.deepEqual(imported, { lines: 3, changed: 3, blocked: 0, rejected: 0 })
  const shown = ['sender', 'show', 'shop', '0299998888', '--reveal', '--reason', 'a test']
  assert.match(JSON.stringify(await compare(shown)), /page 2/)
  await onDatabase('sender', 'block', 'shop', '0299998889', '--reason', 'stolen')
  await onDatabase('sender', 'reject', 'cafe', '@cafe', '--kind', 'kakao-key', '--reason', 'wrong holder')
  const again = await compare(['sender', 'import', list, '--approve'])
  assert.deepEqual(again, { lines: 3, changed: 0, blocked: 1, rejected: 1 })
})

test('errors name the same lines, and nothing is stored', async () => {
  const before = await countSenders()
  const wrong = file('wrong.csv', [
    ...many(600),
    ...['shop,number,0501234567,,operator,x,', 'nobody,brand,b,,,,', 'x', 'shop,colour,x,,,,'],
    ...['shop,number,05012345678,,operator,x,', 'shop,brand,b,2026-02-30,,,', ',brand,b,,,,'],
    'shop,number,0212345678,,certificate,x,2020-01-01',
  ])
  for (const args of [[wrong, '--approve'], [file('none.csv', [])], [join(folder, 'absent.csv')]]) {
    const local = await onDatabase('sender', 'import', ...args)
    assert.deepEqual(await overHttp('sender', 'import', ...args), local)
    assert.notEqual(local.exitCode, 0)
  }
  const { stderr } = await overHttp('sender', 'import', wrong, '--approve')
  for (const line of [602, 603, 604, 605, 606, 607, 608, 609])
    assert.match(stderr, new RegExp(`line ${line}: `))
  assert.match(stderr, /line 606: .*POSTERN_SENDER_KINDS/)
  assert.equal(await countSenders(), before)
})

test('an unknown account and a day without a year are errors of their lines', async () => {
  const before = await countSenders()
  const list = file('unknown.csv', [
    ...many(1_001),
    ...['unknown,brand,b,,,,', 'shop,brand,b,,operator,x,0000-01-01', 'shop,brand,b,,operator,\u0000x,'],
  ])
  const local = await onDatabase('sender', 'import', list)
  assert.deepEqual(await overHttp('sender', 'import', list), local)
  assert.match(local.stderr, /line 1003: account 'unknown' not found/)
  assert.match(local.stderr, /line 1004: issued must be a date/)
  assert.match(local.stderr, /line 1005: .*control characters/)
  assert.equal(await countSenders(), before)
})

test('an operator without the right is refused before anything is stored', async () => {
  const before = await countSenders()
  const { exitCode, stderr } = await as('viewer', 'sender', 'import', file('few.csv', many(2)))
  assert.equal(exitCode, 1)
  assert.match(stderr, /lacks the right/)
  assert.equal(await countSenders(), before)
})

test('a long file takes several requests with progress, each audited with its hash', async () => {
  const path = file('many.csv', many(1_100))
  await as('operator', 'sender', 'import', path)
  const progress: string[] = []
  const admin = new AdminClient(
    new HttpTransport({ url: adminUrl, key: keys.support, profile: null }),
    'moved',
  )
  const { json } = await importFile(admin, path, { approve: true }, (text) => void progress.push(text))
  assert.deepEqual(json, { lines: 1_100, changed: 1_100, blocked: 0, rejected: 0 })
  const [checks, stored] = [progress.filter((text) => text.endsWith(' checked')), progress.slice(-1)]
  assert.equal(checks.length * 2, progress.length)
  assert.deepEqual([checks.at(-1), ...stored], ['1100 of 1100 senders checked', '1100 of 1100 senders'])
  // One row for each request, and one for its account.
  const recorded = (
    await listAudit(database, { action: 'sender import', result: 'done', limit: 2 * checks.length })
  ).map(({ actor, account, reason, details }) => ({
    actor,
    account,
    reason,
    ...(JSON.parse(details) as { lines: number; changed: number; fileSha256: string }),
  }))
  const [rows, ofAccount] = [null, 'cafe'].map((owner) => recorded.filter(({ account }) => account === owner))
  assert.equal(
    rows!.reduce((sum, { lines }) => sum + lines, 0),
    1_100,
  )
  assert.equal(
    ofAccount!.reduce((sum, { changed }) => sum + changed, 0),
    1_100,
  )
  assert.equal(new Set(recorded.map(({ fileSha256 }) => fileSha256)).size, 1)
  assert.deepEqual([rows![0]!.actor, rows![0]!.reason], ['support', 'moved'])
  const again = await overHttp('sender', 'import', path, '--approve', '--json')
  assert.deepEqual(JSON.parse(again.stdout), { lines: 1_100, changed: 0, blocked: 0, rejected: 0 })
})

test('a part with an invalid sender is refused completely, even without a prior check', async () => {
  const before = await countSenders()
  const sender = { kind: 'number', value: '0277770001', proof: { kind: 'operator', reference: 'x' } }
  const call = (senders: object[]) =>
    fetch(`${adminUrl}/admin/v1/senders/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ senders, approve: true }),
    })
  const refused = await call([
    { ...sender, line: 2, account: 'shop' },
    { ...sender, line: 3, account: 'nobody' },
  ])
  assert.equal(refused.status, 400)
  assert.match(await refused.text(), /line 3: account 'nobody' not found; no sender of this part was stored/)
  const tooMany = await call(Array.from({ length: 501 }, () => ({ ...sender, line: 2, account: 'shop' })))
  assert.equal(tooMany.status, 400)
  assert.equal(await countSenders(), before)
})
