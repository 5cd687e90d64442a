/**
 * A file is read in the same way by path and from standard input, identified by the hash of its bytes, and
 * refused if it is not UTF-8.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test, type TestContext } from 'node:test'
import { startBothWays } from '../../test/support/http/both-ways.ts'
import { addCleanup } from '../../test/support/cleanup.ts'
import { createAccount } from '../../test/support/fixtures.ts'
import { listAudit } from '../identity/audit/queries.ts'

const { database, onDatabase, overHttp } = await startBothWays()
await createAccount(database, 'shop')
const folder = mkdtempSync(join(tmpdir(), 'postern-input-'))
addCleanup(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'senders.csv')
const headerRow = 'clientId,kind,value,proofKind,proof\n'

/** Provides the bytes as a file, and in pieces that split characters on standard input. */
function provideInput(t: TestContext, bytes: Buffer): void {
  writeFileSync(path, bytes)
  const pieces = Array.from({ length: bytes.length }, (_, n) => bytes.subarray(n, n + 1))
  t.mock.getter(process, 'stdin', () => Readable.from(pieces))
}

test("the audit log has the hash of the file's bytes, including the byte order mark", async (t) => {
  const bytes = Buffer.from(`\uFEFF${headerRow}shop,number,0266660001,operator,문서 1\n`)
  provideInput(t, bytes)
  const hash = createHash('sha256').update(bytes).digest('hex')
  for (const way of [onDatabase, overHttp])
    for (const file of [path, '-']) {
      const { exitCode, stderr } = await way('sender', 'import', file)
      assert.equal(exitCode, 0, stderr)
      const [row] = await listAudit(database, { action: 'sender import', limit: 1 })
      assert.equal((JSON.parse(row!.details) as { fileSha256: string }).fileSha256, hash)
    }
  const shown = await onDatabase('sender', 'show', 'shop', '0266660001', '--reveal', '--reason', 'a test')
  assert.match(shown.stdout, /문서 1/)
})

test('a file in another encoding is refused and nothing is stored', async (t) => {
  // 문서 in CP949, the encoding of Korean spreadsheets.
  const cp949 = Buffer.from([0xb9, 0xae, 0xbc, 0xad])
  const line = Buffer.from('shop,number,0266660002,operator,')
  provideInput(t, Buffer.concat([Buffer.from(headerRow), line, cp949, Buffer.from('\n')]))
  for (const way of [onDatabase, overHttp])
    for (const [command, file] of [
      ['sender import', path],
      ['sender import', '-'],
      ['suppression import', path],
      ['route ranges import', path],
    ] as const) {
      const { exitCode, stderr } = await way(...command.split(' '), file, '--reason', 'a test')
      assert.equal(exitCode, 2, stderr)
      assert.match(stderr, /is not UTF-8.*Save it as UTF-8/)
    }
  const { rowCount } = await database.query(`select from senders where value = '0266660002'`)
  assert.equal(rowCount, 0)
})
