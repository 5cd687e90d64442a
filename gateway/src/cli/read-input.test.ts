/**
 * A file is read in the same way by path and from standard input, identified by the hash of its bytes, and
 * refused if it is not UTF-8.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startBothWays } from '../../test/support/http/both-ways.ts'
import { addCleanup } from '../../test/support/cleanup.ts'
import { createAccount } from '../../test/support/fixtures.ts'
import { pipeInto } from '../../test/support/processes/typed-command.ts'
import { listAudit } from '../identity/audit/queries.ts'

const { database, url, keys, onDatabase, overHttp } = await startBothWays()
await createAccount(database, 'shop')
const folder = mkdtempSync(join(tmpdir(), 'postern-input-'))
addCleanup(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'senders.csv')
const headerRow = 'clientId,kind,value,proofKind,proof\n'

/** Runs a command whose file is standard input. */
const piped = (bytes: Buffer, ...args: string[]) =>
  pipeInto(
    { POSTERN_DATABASE_URL: url, POSTERN_ADMIN_URL: '', POSTERN_OPERATOR_KEY: keys.admin },
    bytes,
    ...args,
  )

test("the audit log has the hash of the file's bytes, including the byte order mark", async () => {
  const bytes = Buffer.from(`\uFEFF${headerRow}shop,number,0266660001,operator,문서 1\n`)
  writeFileSync(path, bytes)
  const hash = createHash('sha256').update(bytes).digest('hex')
  for (const run of [
    () => onDatabase('sender', 'import', path),
    () => overHttp('sender', 'import', path),
    () => piped(bytes, 'sender', 'import', '-'),
  ]) {
    const { exitCode, stderr } = await run()
    assert.equal(exitCode, 0, stderr)
    const [row] = await listAudit(database, { action: 'sender import', limit: 1 })
    assert.equal((JSON.parse(row!.details) as { fileSha256: string }).fileSha256, hash)
  }
  const shown = await onDatabase('sender', 'show', 'shop', '0266660001', '--reveal', '--reason', 'a test')
  assert.match(shown.stdout, /문서 1/)
})

test('a file in another encoding is refused and nothing is stored', async () => {
  // 문서 in CP949, the encoding of Korean spreadsheets.
  const cp949 = Buffer.from([0xb9, 0xae, 0xbc, 0xad])
  const line = Buffer.from('shop,number,0266660002,operator,')
  const bytes = Buffer.concat([Buffer.from(headerRow), line, cp949, Buffer.from('\n')])
  writeFileSync(path, bytes)
  const refusals = [await piped(bytes, 'sender', 'import', '-', '--reason', 'a test')]
  for (const way of [onDatabase, overHttp])
    for (const command of ['sender import', 'suppression import', 'route ranges import'])
      refusals.push(await way(...command.split(' '), path, '--reason', 'a test'))
  for (const { exitCode, stderr } of refusals) {
    assert.equal(exitCode, 2, stderr)
    assert.match(stderr, /is not UTF-8.*Save it as UTF-8/)
  }
  const { rowCount } = await database.query(`select from senders where value = '0266660002'`)
  assert.equal(rowCount, 0)
})
