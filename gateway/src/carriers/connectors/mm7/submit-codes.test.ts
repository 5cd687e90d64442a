import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mm7Options } from '../../../../test/support/carriers/mm7.ts'
import { submitMeaning } from './submit-codes.ts'

const options = mm7Options({ dialect: 'kt', partnerId: 'p' })

test('spam and subscriber codes are final', () => {
  for (const code of ['4400', '4404', '4499']) assert.equal(submitMeaning(options, code), 'spam', code)
  assert.equal(submitMeaning(options, '4300'), 'no-subscriber')
  // Only 2163 means that the submission was accepted earlier, so these are refusals.
  for (const code of ['4304', '4306', '4307']) assert.equal(submitMeaning(options, code), 'refused', code)
})

test('retries service errors and throttles on too many messages', () => {
  for (const code of ['3000', '4100', '4203', '4500'])
    assert.equal(submitMeaning(options, code), 'unreachable', code)
  assert.equal(submitMeaning(options, '4202'), 'throttled')
})
