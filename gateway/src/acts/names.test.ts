/** Errors name options that exist. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asField, asOption } from './names.ts'

test('a field is named as its option is written', () => {
  assert.equal(asOption('optOutNumbers'), '--opt-out-numbers')
  assert.equal(asOption('prefixPer10Minutes'), '--prefix-per-10-minutes')
  assert.equal(asField('prefixPer10Minutes'), "'prefixPer10Minutes'")
})
