/** The process of a command when the reader of its output goes away: what the command does is completed. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { addCleanup } from '../test/support/cleanup.ts'
import { createTestDatabase } from '../test/support/engines/database.ts'
import { createAccount } from '../test/support/fixtures.ts'
import { listAudit } from './identity/audit/queries.ts'

const { database, url } = await createTestDatabase()
await createAccount(database, 'shop')
const folder = mkdtempSync(join(tmpdir(), 'postern-output-'))
addCleanup(() => rmSync(folder, { recursive: true }))
const count = 2_500
const list = join(folder, 'senders.csv')
const lines = Array.from({ length: count }, (_, n) => `shop,number,023${100_000 + n},operator,old`)
writeFileSync(list, ['clientId,kind,value,proofKind,proof', ...lines].join('\n'))
/** A file on a full disk; macOS does not have it. */
const fullFile = '/dev/full'

interface Streams {
  readonly stdout?: 'closed'
  readonly stderr: 'closed' | 'full'
}

async function importInto({ stdout, stderr }: Streams): Promise<{ exitCode: unknown; printed: string }> {
  await database.query('delete from sender_changes; delete from senders')
  const args = [join(import.meta.dirname, 'cli.ts'), 'sender', 'import', list, '--approve', '--json']
  const file = stderr === 'full' ? openSync(fullFile, 'w') : null
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', file ?? 'pipe'],
    env: {
      ...process.env,
      POSTERN_DATABASE_URL: url,
      POSTERN_TOKEN_SECRET: 'x'.repeat(32),
      XDG_CONFIG_HOME: '/nonexistent',
      POSTERN_ADMIN_URL: '',
    },
  })
  if (file !== null) closeSync(file)
  child.stderr?.destroy()
  if (stdout === 'closed') child.stdout!.destroy()
  const ended = once(child, 'close')
  const printed = stdout === 'closed' ? '' : await text(child.stdout!)
  const [exitCode] = (await ended) as unknown[]
  return { exitCode, printed }
}

async function requireComplete(): Promise<void> {
  const { rows } = await database.query<{ count: number }>('select count(*)::int from senders')
  assert.equal(rows[0]!.count, count)
  const [last] = await listAudit(database, { action: 'sender import', limit: 1 })
  assert.equal(last!.result, 'done')
}

for (const stderr of ['closed', 'full'] as const)
  test(
    `an import is completed when its progress cannot be printed: stderr is ${stderr}`,
    { skip: stderr === 'full' && !existsSync(fullFile) },
    async () => {
      const { exitCode, printed } = await importInto({ stderr })
      await requireComplete()
      assert.equal(exitCode, 0)
      assert.equal((JSON.parse(printed) as { changed: number }).changed, count)
    },
  )

test('an import whose result cannot be printed either is completed, and exits with 141', async () => {
  const { exitCode } = await importInto({ stdout: 'closed', stderr: 'closed' })
  await requireComplete()
  assert.equal(exitCode, 141)
})
