import assert from 'node:assert/strict'
import test from 'node:test'
import { codeOf, stepAt } from './totp.ts'

test('has the codes of RFC 6238', () => {
  // "12345678901234567890" in base32; the RFC has eight digits, of which these are the last six.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  assert.equal(codeOf(secret, stepAt(59_000)), '287082')
  assert.equal(codeOf(secret, stepAt(1_111_111_109_000)), '081804')
  assert.equal(codeOf(secret, stepAt(20_000_000_000_000)), '353130')
})
