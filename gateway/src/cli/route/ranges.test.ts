/** Number ranges are replaced completely or not at all, over the admin API as on the database. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startBothWays } from '../../../test/support/http/both-ways.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { listAudit } from '../../identity/audit/queries.ts'
import { loadRanges, replaceRanges } from '../../carriers/routes/ranges.ts'

const { adminUrl, keys, database, compare, onDatabase, overHttp, as } = await startBothWays()
const folder = mkdtempSync(join(tmpdir(), 'postern-ranges-'))
addCleanup(() => rmSync(folder, { recursive: true }))
const file = (name: string, lines: readonly string[]): string => {
  writeFileSync(join(folder, name), lines.join('\n'))
  return join(folder, name)
}
const countRanges = async (): Promise<number> => (await loadRanges(database)).length
const many = (count: number): string[] => Array.from({ length: count }, (_, n) => `+8${1_000_000 + n},10001`)

test('ranges are imported and cleared over both backends', async () => {
  const list = file('list.csv', ['prefix,carrier', '0102,10001', '"+8110",10002', ''])
  const before = () => replaceRanges(database, [])
  assert.deepEqual(await compare(['route', 'ranges', 'import', list], { before }), { ranges: 2 })
  assert.deepEqual(await loadRanges(database), [
    { prefix: '0102', carrier: '10001' },
    { prefix: '+8110', carrier: '10002' },
  ])
  assert.deepEqual(await compare(['route', 'ranges', 'clear', '--reason', 'a test']), { ranges: 0 })
  assert.equal(await countRanges(), 0)
  const [row] = await listAudit(database, { action: 'route ranges', limit: 1 })
  assert.deepEqual([row!.action, row!.reason, row!.target], ['route ranges clear', 'a test', 'number ranges'])
})

test('one request replaces tens of thousands of ranges; more than 1 MB needs the database', async () => {
  const { exitCode, stderr } = await overHttp('route', 'ranges', 'import', file('many.csv', many(50_000)))
  assert.equal(exitCode, 0, stderr)
  assert.equal(await countRanges(), 50_000)
  const refused = await overHttp('route', 'ranges', 'import', file('more.csv', many(70_000)))
  assert.equal(refused.exitCode, 2)
  assert.match(refused.stderr, /exceeds 1 MB.*POSTERN_DATABASE_URL/)
  assert.equal(await countRanges(), 50_000)
  const imported = await onDatabase('route', 'ranges', 'import', file('more.csv', many(70_000)))
  assert.equal(imported.exitCode, 0, imported.stderr)
  assert.equal(await countRanges(), 70_000)
})

test('invalid ranges are refused over both backends, and the stored ones are kept', async () => {
  const before = await countRanges()
  for (const path of [
    file('wrong.csv', ['0102,10001', '010x,10001']),
    file('unknown.csv', ['0102,SKT']),
    file('none.csv', ['prefix,carrier']),
    join(folder, 'absent.csv'),
  ]) {
    const local = await onDatabase('route', 'ranges', 'import', path)
    assert.deepEqual(await overHttp('route', 'ranges', 'import', path), local)
    assert.equal(local.exitCode, 2)
  }
  const answer = await fetch(`${adminUrl}/admin/v1/number-ranges`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${keys.admin}`, 'content-type': 'application/json' },
    body: JSON.stringify({ lines: '0102,10001\n0103,SKT' }),
  })
  assert.equal(answer.status, 400)
  assert.match(await answer.text(), /line 2: unknown carrier/)
  for (const args of [['import', file('few.csv', many(2))], ['clear']]) {
    const { exitCode, stderr } = await as('support', 'route', 'ranges', ...args)
    assert.equal(exitCode, 1)
    assert.match(stderr, /lacks the right/)
  }
  assert.equal(await countRanges(), before)
})
