import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { runCommand } from '../../../../test/support/command.ts'
import { createTestDatabase } from '../../../../test/support/engines/database.ts'
import { silentLog } from '../../../../test/support/silent-log.ts'
import { createKeyRing, type StoredRing } from './key-ring.ts'
import { createTokenKey, createTokens, tokenLifetimeMs, type TokenKey } from './token.ts'

const { database, url } = await createTestDatabase()
const secret = 'a secret of at least 32 characters'
const environment = { POSTERN_DATABASE_URL: url, POSTERN_TOKEN_SECRET: secret }

async function openProcess(given = secret): Promise<{ ring: StoredRing; tokens: TokenKey }> {
  const ring = createKeyRing(database, silentLog, given)
  await ring.refreshNow()
  return { ring, tokens: createTokens(ring, '00') }
}
async function rotate(...options: string[]): Promise<{ id: number; signsFrom: Date }> {
  const { exitCode, stdout, stderr } = await runCommand(
    environment,
    'token-key',
    'rotate',
    ...options,
    '--json',
  )
  assert.equal(exitCode, 0, stderr)
  const { id, signsFrom } = JSON.parse(stdout) as { id: number; signsFrom: string }
  return { id, signsFrom: new Date(signsFrom) }
}
const after = (time: Date, ms: number): Date => new Date(time.getTime() + ms)

test('a rotation ends no token, and the new key signs only after every process knows it', async () => {
  const [process1, process2] = [await openProcess(), await openProcess()]
  const before = new Date()
  const old = process1.tokens.issue(7, 1, before, { credentialId: 5 }).token
  assert.equal(
    createTokenKey(secret, '00').verify(old, before).kind,
    'valid',
    'key 1 is derived from the secret alone',
  )
  const { id, signsFrom } = await rotate()
  assert.ok(signsFrom.getTime() - Date.now() > 3_000, 'processes read the keys every second')
  await process1.ring.refreshNow()
  assert.equal(process1.ring.signing(before.getTime()).id, 1, 'not yet')
  const fresh = process1.tokens.issue(7, 1, signsFrom, { credentialId: 5 }).token
  assert.equal(process2.tokens.verify(fresh, signsFrom).kind, 'unknown-key')
  assert.equal(await process2.ring.refresh!(), true)
  const decision = process2.tokens.verify(fresh, signsFrom)
  assert.ok(decision.kind === 'valid')
  assert.deepEqual([decision.keyId, decision.credentialId], [id, 5])
  // The last token of the old key, until it expires.
  const last = process2.tokens.issue(7, 1, after(signsFrom, -1), { credentialId: 5 }).token
  for (const { tokens } of [process1, process2])
    assert.equal(tokens.verify(last, after(signsFrom, tokenLifetimeMs - 2)).kind, 'valid')
})

test('a token that is signed with the secret itself is refused', async () => {
  const key = createSecretKey(Buffer.from(secret))
  const raw = { signing: () => ({ id: 1, key }), find: () => key, accepts: () => true }
  const now = new Date()
  const forged = createTokens(raw, '00').issue(7, 1, now, { credentialId: 5 }).token
  assert.equal(createTokens(raw, '00').verify(forged, now).kind, 'valid')
  assert.equal((await openProcess()).tokens.verify(forged, now).kind, 'invalid')
})

test('an old key makes no valid token after its last one has expired', async () => {
  const { signsFrom } = await rotate()
  const later = after(signsFrom, tokenLifetimeMs + 60_000)
  const forged = createTokenKey(secret, '00').issue(7, 1, later, { credentialId: 5 }).token
  const { tokens } = await openProcess()
  assert.equal(tokens.verify(forged, later).kind, 'expired')
})

test('a process with another secret accepts no token from the same table', async () => {
  const now = after(new Date(), 3_600_000)
  const { tokens } = await openProcess()
  const other = await openProcess('another secret of at least 32 characters')
  assert.equal(other.tokens.verify(tokens.issue(7, 1, now, { credentialId: 5 }).token, now).kind, 'invalid')
})

test('tokens of a leaked key are refused when the next one signs', async () => {
  const { tokens, ring } = await openProcess()
  const old = tokens.issue(7, 1, new Date(), { credentialId: 5 }).token
  const { id, signsFrom } = await rotate('--leaked')
  await ring.refreshNow()
  assert.equal(tokens.verify(old, after(signsFrom, -1)).kind, 'valid')
  assert.deepEqual(tokens.verify(old, after(signsFrom, 1)), { kind: 'expired' })
  assert.equal(
    tokens.verify(tokens.issue(7, 1, signsFrom, { credentialId: 5 }).token, signsFrom).kind,
    'valid',
  )
  const { stdout } = await runCommand(environment, 'token-key', 'list', '--json')
  const { items: keys } = JSON.parse(stdout) as { items: { id: number; state: string }[] }
  assert.equal(keys.at(-1)!.id, id)
  assert.match(keys.at(-1)!.state, /^signs/)
})
