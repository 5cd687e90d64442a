/** Tokens are valid for 24 hours exactly as issued: in no other spelling, with no other key, with no bit changed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTokenKey, tokenLifetimeMs } from './token.ts'

const key = createTokenKey('a secret of at least 32 characters')
const now = new Date('2026-11-14T12:00:00Z')
const { token, expiresAt } = key.issue(7, 3, now)

test('a token is valid for 24 hours and expired from then on', () => {
  assert.equal(expiresAt.getTime() - now.getTime(), 24 * 3_600_000)
  assert.deepEqual(key.verify(token, new Date(expiresAt.getTime() - 1)), {
    kind: 'valid',
    accountId: 7,
    epoch: 3,
    expiresAt,
  })
  assert.deepEqual(key.verify(token, expiresAt), { kind: 'expired' })
})

test('carries any account and epoch', () => {
  const whole = fc.integer({ min: 0, max: 0x7fffffff })
  fc.assert(
    fc.property(whole, whole, (accountId, epoch) => {
      const decision = key.verify(key.issue(accountId, epoch, now).token, now)
      assert.ok(decision.kind === 'valid')
      assert.deepEqual([decision.accountId, decision.epoch], [accountId, epoch])
    }),
  )
})

test('two tokens of one account in one millisecond differ', () => {
  assert.notEqual(key.issue(7, 3, now).token, token)
})

test('refuses a token with any one bit changed', () => {
  const bytes = Buffer.from(token, 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const forged = Buffer.from(bytes)
    forged[bit >> 3]! ^= 1 << (bit & 7)
    assert.equal(key.verify(forged.toString('base64url'), now).kind, 'invalid', `bit ${bit}`)
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
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  // The last character holds bits that the bytes do not need: sixteen characters decode to the same bytes.
  const spellings = Array.from(alphabet)
    .map((letter) => token.slice(0, -1) + letter)
    .filter((spelling) => spelling !== token && Buffer.from(spelling, 'base64url').equals(bytes))
  assert.ok(spellings.length > 0)
  for (const spelling of [...spellings, bytes.toString('base64'), `${token}=`, `${token}\n`, ` ${token}`]) {
    assert.equal(key.verify(spelling, now).kind, 'invalid', spelling)
  }
})

test('refuses a token of another key, even when it has expired', () => {
  const other = createTokenKey('another secret of 32 characters or more')
  assert.equal(other.verify(token, now).kind, 'invalid')
  assert.equal(other.verify(token, new Date(now.getTime() + 2 * tokenLifetimeMs)).kind, 'invalid')
})

test('never throws, whatever it is given', () => {
  fc.assert(fc.property(fc.string(), (garbage) => key.verify(garbage, now).kind === 'invalid'))
})
