import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BearerTokens } from './bearer-tokens.ts'

test('distinguishes valid, missing, unknown and expired tokens', () => {
  let count = 0
  const tokens = new BearerTokens(60_000, () => `token-${++count}`)
  const { token, expiresInSeconds } = tokens.issue()
  assert.equal(expiresInSeconds, 60)
  assert.equal(tokens.check(`Bearer ${token}`), 'valid')
  assert.equal(tokens.check(undefined), 'no header')
  assert.equal(tokens.check('Bearer '), 'no token')
  assert.equal(tokens.check('Basic abc'), 'no token')
  assert.equal(tokens.check('Bearer other'), 'unknown')
  assert.equal(tokens.expireAll(), 1)
  assert.equal(tokens.check(`Bearer ${token}`), 'expired')
})

test('keeps the newest 1000 tokens, and requires none with lifetime 0', () => {
  let count = 0
  const tokens = new BearerTokens(60_000, () => `token-${++count}`)
  for (let issued = 0; issued < 1001; issued++) tokens.issue()
  assert.equal(tokens.check('Bearer token-1'), 'unknown')
  assert.equal(tokens.check('Bearer token-2'), 'valid')
  assert.equal(new BearerTokens(0, () => '').check(undefined), 'valid')
})
