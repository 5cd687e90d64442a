import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeRecipient } from './recipient.ts'

test('all notations of a number have one form', () => {
  for (const written of [
    '01012345678',
    '010-1234-5678',
    '821012345678',
    '+821012345678',
    '+8201012345678',
    '+82 10 1234 5678',
    '+82 (0)10.1234.5678',
  ])
    assert.equal(normalizeRecipient(written), '01012345678')
  assert.equal(normalizeRecipient('+1 415 555 0100'), '+14155550100')
  assert.equal(normalizeRecipient('+82 1588-1588'), '15881588')
  // Without a + only a mobile number is certainly Korean.
  assert.equal(normalizeRecipient('8221234567'), '8221234567')
})
