import assert from 'node:assert/strict'
import test from 'node:test'
import { computeCode, computeStep } from './totp.ts'

test('the codes are those of RFC 6238', () => {
  // "12345678901234567890" in base32. The RFC shows eight digits; these are the last six.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  assert.equal(computeCode(secret, computeStep(59_000)), '287082')
  assert.equal(computeCode(secret, computeStep(1_111_111_109_000)), '081804')
  assert.equal(computeCode(secret, computeStep(20_000_000_000_000)), '353130')
})
