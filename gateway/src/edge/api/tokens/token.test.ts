import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { clock } from '../../../platform/time/clock.ts'
import { readTokenCell, createTokenKey, tokenLifetimeMs } from './token.ts'

const secret = 'a secret of at least 32 characters'
const key = createTokenKey(secret, 'B7')
const now = new Date('2026-11-14T12:00:00Z')
const { token, expiresAt } = key.issue(7, 3, now, { credentialId: 5 })

test('a token is valid for 24 hours and expired from then on', () => {
  assert.equal(expiresAt.getTime() - now.getTime(), 24 * 3_600_000)
  assert.deepEqual(key.verify(token, new Date(expiresAt.getTime() - 1)), {
    kind: 'valid',
    accountId: 7,
    epoch: 3,
    credentialId: 5,
    keyId: 1,
    expiresAt,
  })
  assert.deepEqual(key.verify(token, expiresAt), { kind: 'expired' })
})

test('a token issued while the clock was ahead has expired, even if verified then', () => {
  const ahead = new Date(now.getTime() + 31 * 86_400_000)
  const { token: issued } = key.issue(7, 3, ahead, { credentialId: 5 })
  assert.deepEqual(key.verify(issued, now), { kind: 'expired' })
  assert.equal(key.verify(issued, ahead).kind, 'valid')
  assert.deepEqual(key.verify(issued, now), { kind: 'expired' })
  // Processes measure the time separately.
  assert.equal(key.verify(token, new Date(now.getTime() - 5_000)).kind, 'valid')
})

test('no token expires after a jump of the database clock', (t) => {
  t.mock.getter(clock, 'hasJumped', () => true)
  for (const days of [-31, 31])
    assert.equal(key.verify(token, new Date(now.getTime() + days * 86_400_000)).kind, 'valid')
})

test('carries any account, epoch and credential', () => {
  const whole = fc.integer({ min: 0, max: 0x7fffffff })
  fc.assert(
    fc.property(whole, whole, whole, (accountId, epoch, credentialId) => {
      const decision = key.verify(key.issue(accountId, epoch, now, { credentialId }).token, now)
      assert.ok(decision.kind === 'valid')
      assert.deepEqual(
        [decision.accountId, decision.epoch, decision.credentialId],
        [accountId, epoch, credentialId],
      )
    }),
  )
})

test('two tokens of one account in one millisecond differ', () => {
  assert.notEqual(key.issue(7, 3, now, { credentialId: 5 }).token, token)
})

test('refuses a token with any one bit changed', () => {
  const bytes = Buffer.from(token, 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const forged = Buffer.from(bytes)
    forged[bit >> 3]! ^= 1 << (bit & 7)
    const { kind } = key.verify(forged.toString('base64url'), now)
    const byte = bit >> 3
    // The changed bit may name another cell or another key.
    const isNamed =
      (kind === 'other-cell' && (byte === 18 || byte === 19)) ||
      (kind === 'unknown-key' && (byte === 25 || byte === 26))
    assert.ok(kind === 'invalid' || isNamed, `bit ${bit}: ${kind}`)
  }
})

test('refuses every prefix of a token, and a token with a suffix', () => {
  for (let length = 0; length < token.length; length++) {
    assert.equal(key.verify(token.slice(0, length), now).kind, 'invalid')
  }
  assert.equal(key.verify(`${token}A`, now).kind, 'invalid')
})

test('refuses other spellings of the same bytes', () => {
  const bytes = Buffer.from(token, 'base64url')
  for (const spelling of [bytes.toString('base64'), `${token}=`, `${token}\n`, ` ${token}`]) {
    if (spelling !== token) assert.equal(key.verify(spelling, now).kind, 'invalid', spelling)
  }
})

test('refuses a token of another key, even when it has expired', () => {
  const other = createTokenKey('another secret of 32 characters or more', 'B7')
  assert.equal(other.verify(token, now).kind, 'invalid')
  assert.equal(other.verify(token, new Date(now.getTime() + 2 * tokenLifetimeMs)).kind, 'invalid')
})

test('a proxy reads the cell at characters 24 and 25, without the secret', () => {
  for (const cell of ['00', 'A1', 'ZZ', '9Z']) {
    const { token: named } = createTokenKey(secret, cell).issue(7, 3, now, { credentialId: 5 })
    assert.match(named, /^[A-Za-z0-9_-]{84}$/)
    assert.equal(named.slice(20, 26), `cell${cell}`)
    assert.equal(readTokenCell(named), cell)
  }
})

test('refuses a token of another cell and names it, even with the same secret', () => {
  assert.deepEqual(createTokenKey(secret, 'A1').verify(token, now), { kind: 'other-cell', cell: 'B7' })
  assert.deepEqual(createTokenKey('x'.repeat(32), 'A1').verify(token, now), {
    kind: 'other-cell',
    cell: 'B7',
  })
  assert.equal(key.verify(token, now).kind, 'valid')
})

test('a token expires with its credential', () => {
  const notAfter = new Date(now.getTime() + 60_000)
  const issued = key.issue(7, 3, now, { credentialId: 5, notAfter })
  assert.deepEqual(issued.expiresAt, notAfter)
  assert.deepEqual(key.verify(issued.token, notAfter), { kind: 'expired' })
})

test('never throws for any input', () => {
  fc.assert(fc.property(fc.string(), (garbage) => key.verify(garbage, now).kind === 'invalid'))
})
