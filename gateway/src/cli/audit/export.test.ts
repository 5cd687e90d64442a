/**
 * The audit log is exported over the admin API like on the database, page by page, and every request is
 * recorded.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { startBothWays } from '../../../test/support/http/both-ways.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { appendAudit, listAudit } from '../../identity/audit/queries.ts'
import { FailedError } from '../errors.ts'
import { AdminClient } from '../client/client.ts'
import { HttpTransport } from '../client/http.ts'
import { exportRows } from './export.ts'

const { adminUrl, keys, database, onDatabase, overHttp, as } = await startBothWays()
const folder = mkdtempSync(join(tmpdir(), 'postern-audit-'))
addCleanup(() => rmSync(folder, { recursive: true }))
const at = (name: string): string => join(folder, name)
const because = ['--reason', 'monthly review']
const rows = 450
for (let n = 0; n < rows; n += 1)
  await appendAudit(database, createTestAuditContext(), {
    action: 'account set',
    result: 'done',
    target: `shop-${n}`,
    details: { weight: n, name: '"가' },
  })
const linesOf = (name: string): string[] => readFileSync(at(name), 'utf8').trimEnd().split('\n')

test('both backends write the same file with a checkpoint, and a row per page', async () => {
  const local = await onDatabase('audit', 'export', at('local'), ...because, '--json')
  assert.equal(local.exitCode, 0, local.stderr)
  const remote = await overHttp('audit', 'export', at('remote'), ...because, '--json')
  assert.equal(remote.exitCode, 0, remote.stderr)
  const [localLines, remoteLines] = [linesOf('local'), linesOf('remote')]
  // The second file also has a row for each page of the first export.
  const pages = Math.ceil(localLines.length / 200)
  assert.deepEqual(remoteLines.slice(0, localLines.length - 1), localLines.slice(0, -1))
  assert.equal(remoteLines.length, localLines.length + pages)
  const { rows: count, last } = JSON.parse(remote.stdout) as { rows: number; last: unknown }
  assert.equal(count, remoteLines.length - 1)
  assert.deepEqual(JSON.parse(remoteLines.at(-1)!), last)
  assert.equal(statSync(at('remote')).mode & 0o777, 0o600)
  const recorded = await listAudit(database, { action: 'audit export', limit: 10 })
  // The last exported row is that of the first request over the admin API.
  const requests = recorded.filter(({ role, seq }) => role === 'admin' && seq >= count)
  assert.equal(requests.length, Math.ceil(count / 200))
  const verified = await onDatabase('audit', 'verify', '--checkpoint', at('remote'))
  assert.equal(verified.exitCode, 0, verified.stderr)
})

test('exports rows after a given one', async () => {
  const { exitCode, stderr } = await overHttp(
    'audit',
    'export',
    at('after'),
    '--after',
    String(rows),
    ...because,
  )
  assert.equal(exitCode, 0, stderr)
  const [first] = linesOf('after')
  assert.equal((JSON.parse(first!) as { seq: number }).seq, rows + 1)
})

test('an export without the right, without a reason, or to an existing file is refused', async () => {
  const refused = await as('support', 'audit', 'export', at('refused'), ...because)
  assert.equal(refused.exitCode, 1)
  assert.match(refused.stderr, /lacks the right 'audit'/)
  assert.match((await overHttp('audit', 'export', at('refused'))).stderr, /--reason .*is required/)
  assert.ok(!existsSync(at('refused')))
  for (const way of [onDatabase, overHttp])
    assert.match((await way('audit', 'export', at('local'), ...because)).stderr, /cannot write .*EEXIST/)
})

test('an interrupted export names the next step', async () => {
  const admin = new AdminClient(
    new HttpTransport({ url: adminUrl, key: keys.admin, profile: null }),
    'monthly review',
  )
  const call = admin.call.bind(admin)
  let pages = 0
  admin.call = (...given) => {
    pages += 1
    return pages < 3 ? call(...given) : Promise.reject(new FailedError('gone'))
  }
  await assert.rejects(
    exportRows(admin, at('part'), {}),
    /contains rows up to 400, .*; export the rest to another file with --after 400: gone/,
  )
  assert.equal(linesOf('part').length, 400)
})

/** Creates a client of an admin API whose pages have one row each. */
function createPagedClient(seqOf: (page: number) => number, pages: number): AdminClient {
  const admin = new AdminClient(
    new HttpTransport({ url: adminUrl, key: keys.admin, profile: null }),
    'monthly review',
  )
  let requestedPages = 0
  const call = () => {
    requestedPages += 1
    const next = requestedPages < pages ? `page ${requestedPages}` : null
    return Promise.resolve({ items: [{ seq: seqOf(requestedPages) }], last: { seq: pages, hash: 'h' }, next })
  }
  return Object.assign(admin, { call })
}

test('the log can have more pages than other lists', async () => {
  const pages = 10_001
  const { json } = await exportRows(
    createPagedClient((page) => page, pages),
    at('many pages'),
    {},
  )
  assert.deepEqual(json, { rows: pages, last: { seq: pages, hash: 'h' } })
  assert.equal(linesOf('many pages').length, pages + 1)
})

test('an export is aborted if a page does not continue the previous one', async () => {
  const twice = createPagedClient((page) => Math.min(page, 2), 10)
  await assert.rejects(
    exportRows(twice, at('twice'), {}),
    /^FailedError: export interrupted: .* rows up to 2.*--after 2: the admin API returned row 2 after row 2; /,
  )
  assert.equal(linesOf('twice').length, 2)
})
