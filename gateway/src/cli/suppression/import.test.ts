/**
 * A list is imported over the admin API as on the database: in parts, with progress, and again after an
 * interruption.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { startBothWays } from '../../../test/support/http/both-ways.ts'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { createAccount } from '../../../test/support/fixtures.ts'
import { listAudit } from '../../identity/audit/queries.ts'
import { createOperatorKey } from '../../identity/operators/key.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { setChoices } from '../../trust/suppression/store.ts'
import { sendChunks } from '../client/chunks.ts'
import { AdminClient } from '../client/client.ts'
import { HttpTransport } from '../client/http.ts'
import { importNumbers } from './import.ts'

const bed = await startBothWays()
const { database, adminUrl, keys, compare, onDatabase, overHttp, as } = bed
const shopId = await createAccount(database, 'shop')
const folder = mkdtempSync(join(tmpdir(), 'postern-suppression-'))
addCleanup(() => rmSync(folder, { recursive: true }))
const file = (name: string, numbers: readonly string[]): string => {
  writeFileSync(join(folder, name), numbers.join('\n'))
  return join(folder, name)
}
const because = ['--reason', 'a test']
const many = Array.from({ length: 2_001 }, (_, n) => `0105555${String(n).padStart(4, '0')}`)

test('both backends import and refuse the same opt-outs and consents', async () => {
  const list = file('list.txt', ['010-1111-0001', '', '01011110002'])
  await onDatabase('suppression', 'import', list, ...because)
  await compare(['suppression', 'import', list, ...because])
  const agreed = ['--account', 'shop', '--state', 'agreed', '--since', '2026-11-02', '--night', ...because]
  await overHttp('suppression', 'import', list, ...agreed)
  const shown = ['suppression', 'show', '01011110002', '--account', 'shop', ...because]
  const { state, night, since } = (await compare(shown)) as Record<string, unknown>
  assert.deepEqual([state, night, since], ['agreed', true, '2026-11-01T15:00:00.000Z'])
  for (const args of [
    [list, '--night', ...because],
    [list, '--since', '2999-01-01', ...because],
    [list, '--since', '1999-12-31', ...because],
    [list, '--state', 'agreed', ...because],
    [list, '--account', 'nobody', ...because],
    [file('wrong.txt', ['01011110003', 'x']), ...because],
    [join(folder, 'absent.txt'), ...because],
  ]) {
    const [local, remote] = [
      await onDatabase('suppression', 'import', ...args),
      await overHttp('suppression', 'import', ...args),
    ]
    assert.deepEqual(remote, local)
    assert.notEqual(local.exitCode, 0)
  }
  assert.match((await as('support', 'suppression', 'import', list, ...agreed)).stderr, /lacks the right/)
})

test('the admin API refuses invalid days and names its fields', async () => {
  const refusal = async (given: object): Promise<string> => {
    const body = { recipients: ['01011110001'], reason: 'a test', ...given }
    const answer = await bed.call('admin', 'POST', '/admin/v1/suppression/import', body)
    assert.equal(answer.body.code, 'invalid-request')
    return answer.body.detail
  }
  for (const since of ['2026-02-30', '2026-13-01', '0000-01-01', '1999-12-31'])
    assert.match(await refusal({ state: 'agreed', since }), /^'since' must be a day from 2000-01-01 on/)
  assert.match(await refusal({ state: 'agreed', since: '2999-01-01' }), /^'since' must not be after today/)
  assert.match(await refusal({ state: 'agreed' }), /^'since' is required/)
  assert.match(
    await refusal({ state: 'none', night: true }),
    /^'night' is only allowed with the state agreed/,
  )
})

test('an opt-out between two runs of an import is kept over both backends', async () => {
  const numbers = ['01022220001', '01022220002', '01022220003']
  const list = file('consents.txt', numbers)
  const blindIndex = await openEncryption({}).blindIndex(database)
  const stop = { state: 'suppressed', source: 'reply', reason: 'STOP' } as const
  const stateOf = async (number: string) => {
    const shown = ['suppression', 'show', number, '--account', 'shop', ...because, '--json']
    return (JSON.parse((await onDatabase(...shown)).stdout) as { state: string }).state
  }
  const since = ['--account', 'shop', '--since', '2026-11-02', ...because]
  await onDatabase('suppression', 'import', list, '--state', 'agreed', ...since)
  await setChoices(database, blindIndex, shopId, ['01022220002'], stop)
  for (const state of ['agreed', 'none']) {
    const again = ['suppression', 'import', list, '--state', state, ...since]
    await onDatabase(...again)
    assert.deepEqual(await compare(again), { numbers: 3, changed: 0, kept: 1 })
    for (const [n, expected] of [state, 'suppressed', state].entries())
      assert.equal(await stateOf(numbers[n]!), expected)
  }
  // A consent of a later day applies.
  const before = new Date('2026-11-01T00:00:00Z')
  await setChoices(database, blindIndex, shopId, ['01022220003'], { ...stop, since: before })
  await overHttp('suppression', 'import', list, '--state', 'agreed', ...since)
  assert.equal(await stateOf('01022220003'), 'agreed')
})

test('a long list takes several audited requests, with the hash of the file unless one is short', async () => {
  const path = file('many.txt', many)
  const { stdout, stderr, exitCode } = await overHttp('suppression', 'import', path, ...because, '--json')
  assert.equal(exitCode, 0, stderr)
  assert.deepEqual(JSON.parse(stdout), { numbers: 2_001, changed: 2_001, kept: 0 })
  const rows = (await listAudit(database, { limit: 6 })).filter(({ result }) => result === 'done')
  const details = rows.map((row) => JSON.parse(row.details) as { numbers: number; fileSha256?: string })
  assert.deepEqual(
    details.map(({ numbers }) => numbers),
    [1, 1_000, 1_000],
  )
  // The newest comes first. With few numbers, the hash could be guessed.
  const hash = createHash('sha256').update(many.join('\n')).digest('hex')
  assert.deepEqual(
    details.map(({ fileSha256 }) => fileSha256),
    [undefined, hash, hash],
  )
  const again = await overHttp('suppression', 'import', path, ...because, '--json')
  assert.deepEqual(JSON.parse(again.stdout), { numbers: 2_001, changed: 0, kept: 0 })
})

test('an interrupted import reports the stored numbers, and waits for a busy admin API', async () => {
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    const [status, code] = (
      [
        [429, 'too-many-requests'],
        [200, 'success'],
        // Sent twice: a change that may have been done is repeated.
        [503, 'unavailable'],
        [503, 'unavailable'],
      ] as const
    )[asked - 1]!
    const body =
      status === 200 ? { data: { changed: 1_000, kept: 0 } } : { code, detail: 'busy', retryAfterSeconds: 1 }
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  addCleanup(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const admin = new AdminClient(
    new HttpTransport({ url, key: createOperatorKey().text, profile: null }),
    'a test',
  )
  await assert.rejects(
    importNumbers(admin, file('many.txt', many), { state: 'suppressed' }),
    /stored 1000 of 2001 numbers, then failed: .*busy/,
  )
  assert.equal(asked, 4)
})

test('an import continues after a lost response once the part is known to be done', async () => {
  const numbers = Array.from({ length: 1_001 }, (_, n) => `0106666${String(n).padStart(4, '0')}`)
  const bodies: string[] = []
  // A proxy that loses the response to the first request.
  const proxy = createServer((request, response) => {
    void text(request).then(async (body) => {
      bodies.push(body)
      const { authorization = '', 'idempotency-key': id } = request.headers
      const headers = { authorization, 'idempotency-key': String(id), 'content-type': 'application/json' }
      const answer = await fetch(`${adminUrl}${request.url}`, { method: 'POST', headers, body })
      const answered = await answer.text()
      if (bodies.length === 1) response.destroy()
      else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answered)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  addCleanup(() => proxy.close())
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const admin = new AdminClient(new HttpTransport({ url, key: keys.admin, profile: null }), 'a test')
  const shown: string[] = []
  const { json } = await importNumbers(
    admin,
    file('lost.txt', numbers),
    { state: 'suppressed' },
    (line) => void shown.push(line),
  )
  assert.deepEqual(json, { numbers: 1_001, changed: 1, kept: 0 })
  assert.deepEqual(shown, [
    '1000 of 1001 numbers; the response to the last 1000 was lost: they are stored, but not counted below',
    '1001 of 1001 numbers',
  ])
  assert.equal(bodies.length, 3)
})

test('progress is shown for lists of more than one request', async () => {
  const shown: string[] = []
  const send = () => Promise.resolve()
  const progress = (line: string) => void shown.push(line)
  await sendChunks({ items: [1, 2, 3], size: 2, itemName: 'numbers', send, progress })
  await sendChunks({ items: [1, 2], size: 2, itemName: 'numbers', send, progress })
  assert.deepEqual(shown, ['2 of 3 numbers', '3 of 3 numbers'])
})
