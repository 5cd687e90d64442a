/**
 * On a full disk, `postern audit export` keeps complete pages, and the error names the next step over both
 * backends.
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestAuditContext } from '../../../test/support/audit-context.ts'
import { startBothWays } from '../../../test/support/http/both-ways.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { appendAudit } from '../../identity/audit/queries.ts'
import { inTransaction } from '../../platform/database/database.ts'

const { adminUrl, keys, url, database, onDatabase } = await startBothWays()
const folder = mkdtempSync(join(tmpdir(), 'postern-audit-'))
addCleanup(() => rmSync(folder, { recursive: true }))
const at = (name: string): string => join(folder, name)
/** The rows of ten complete pages, which fit on the disk, and all rows before the first export. */
const [fitting, rows] = [2_000, 2_100]
await inTransaction(database, async (transaction) => {
  for (let n = 0; n < rows; n += 1)
    await appendAudit(transaction, createTestAuditContext(), {
      action: 'account set',
      result: 'done',
      target: `shop-${n}`,
      details: { weight: n },
    })
})
const linesOf = (path: string): string[] => readFileSync(path, 'utf8').trimEnd().split('\n')

const backends = {
  database: { POSTERN_DATABASE_URL: url, POSTERN_ADMIN_URL: '' },
  'admin API': { POSTERN_DATABASE_URL: '', POSTERN_ADMIN_URL: adminUrl },
}

/**
 * Exports in a process whose files are limited to `blocks` blocks of 512 bytes; further writes fail, as on a
 * full disk.
 */
function exportWithin(blocks: number, backend: keyof typeof backends, path: string, ...options: string[]) {
  const command = [process.execPath, join(import.meta.dirname, '../../cli.ts'), 'audit', 'export', path]
  const args = ['-c', `ulimit -f ${blocks} && exec "$@"`, 'sh', ...command, '--reason', 'review', ...options]
  const env = {
    ...process.env,
    ...backends[backend],
    POSTERN_OPERATOR_KEY: keys.admin,
    XDG_CONFIG_HOME: '/nonexistent',
    NODE_COMPILE_CACHE: undefined,
  }
  return new Promise<{ exitCode: unknown; stderr: string }>((resolve) => {
    execFile('sh', args, { env }, (error, _stdout, stderr) => resolve({ exitCode: error?.code ?? 0, stderr }))
  })
}

await onDatabase('audit', 'export', at('whole'), '--reason', 'review')
const completeExport = linesOf(at('whole'))
/** A limit in the middle of the page after these. */
const middle = Math.floor(Buffer.byteLength(completeExport.slice(0, (fitting + rows) / 2).join('\n')) / 512)

for (const backend of ['database', 'admin API'] as const) {
  test(`keeps complete pages, and the rest is exported to another file: ${backend}`, async () => {
    const path = at(`part of ${backend}`)
    const { exitCode, stderr } = await exportWithin(middle, backend, path)
    assert.equal(
      stderr.replace(path, 'FILE').replace(path, 'FILE'),
      `postern audit export: export interrupted: FILE contains rows up to ${fitting}, without a checkpoint; export the rest to another file with --after ${fitting}: cannot write FILE: EFBIG: file too large, write; free space there, or name a file on another disk\n`,
    )
    assert.equal(exitCode, 1)
    assert.deepEqual(linesOf(path), completeExport.slice(0, fitting))
    const rest = at(`rest of ${backend}`)
    assert.deepEqual(await exportWithin(middle, backend, rest, '--after', String(fitting)), {
      exitCode: 0,
      stderr: '',
    })
    assert.deepEqual(linesOf(rest).slice(0, rows - fitting), completeExport.slice(fitting, rows))
  })

  test(`removes the file if nothing fits, so that the command can be repeated: ${backend}`, async () => {
    const path = at(`nothing of ${backend}`)
    const { exitCode, stderr } = await exportWithin(20, backend, path)
    assert.match(stderr, /^postern audit export: cannot write .*: EFBIG: .*; free space there, .*\n$/)
    assert.equal(exitCode, 1)
    assert.ok(!existsSync(path))
  })
}
