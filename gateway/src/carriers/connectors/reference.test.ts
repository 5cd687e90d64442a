import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hostileText } from '../../../test/support/hostile-text.ts'
import { createMsgKey } from '../../contract/msg-key.ts'
import { maxReferenceLength, parseReference, toReference } from './reference.ts'

const number = fc.integer({ min: 0, max: 32_767 })

test('a reference is parsed in upper and lower case and with spaces around it', () => {
  fc.assert(
    fc.property(number, number, number, (step, nth, part) => {
      const key = { msgKey: createMsgKey('00', new Date()), step, try: nth, part }
      const reference = toReference(key)
      assert.ok(reference.length <= maxReferenceLength)
      assert.deepEqual(parseReference(reference), key)
      assert.deepEqual(parseReference(` ${reference.toLowerCase()}\n`), key)
    }),
  )
})

test('returns null for any other text', () => {
  const key = createMsgKey('00', new Date())
  for (const text of [
    '',
    key,
    `${key}-1-1`,
    `${key}-1-1-1-1`,
    `${key}-1-1-99999`,
    `${key}-1-1--1`,
    `x${key}-1-1-1`,
  ])
    assert.equal(parseReference(text), null)
  fc.assert(fc.property(hostileText, (text) => parseReference(text) === null))
})
