import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { quote } from './quote.ts'

test('a short printable value is quoted unchanged', () => {
  assert.equal(quote('31'), "'31'")
  assert.equal(quote(''), "''")
  assert.equal(quote('x'.repeat(40)), `'${'x'.repeat(40)}'`)
})

test('a long value is truncated and marked', () => {
  assert.equal(quote('x'.repeat(41)), `'${'x'.repeat(40)}…'`)
})

test('a repeated parameter is not quoted', () => {
  assert.equal(quote(['1', '2']), 'several values')
})

test('every quoted value is printable and at most 43 characters long', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => /^'[\x20-\x7e]{0,40}…?'$/.test(quote(value))),
  )
})
