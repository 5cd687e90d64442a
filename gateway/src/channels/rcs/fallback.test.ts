import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { requireValid } from '../issues.ts'
import { tryCountCp949Bytes } from '../text/cp949.ts'
import { fallbackChannel } from '../text-fallback.ts'
import { RcsFallback, checkRcsFallback } from './fallback.ts'
import { letters, throwsProblem, times } from '../../../test/support/carriers/rcs.ts'

const minimal: RcsFallback = { type: 'MMS', text: '안녕' }
const assertAccepted = (change: Partial<RcsFallback>) =>
  assert.doesNotThrow(() =>
    requireValid((issues) => checkRcsFallback({ ...minimal, ...change }, 'fallback.', issues)),
  )
const assertRefused = (change: Partial<RcsFallback>, code: string, field: string, reason?: RegExp) =>
  throwsProblem(
    () => requireValid((issues) => checkRcsFallback({ ...minimal, ...change }, 'fallback.', issues)),
    code,
    `fallback.${field}`,
    reason,
  )

test('RCS fallback text: a character that a text message cannot carry is named', () => {
  assertRefused({ text: '안녕😀' }, 'A314', 'text', /U\+1F600 at position 2/)
  assertRefused({ title: '—' }, 'A300', 'title', /U\+2014/)
})

test('RCS fallback from: optional, must be a sender number', () => {
  assertAccepted({ from: '0212345678' })
  assertRefused({ from: '02-1234-5678' }, 'A302', 'from')
})

test('an SMS fallback becomes MMS exactly when it is too long or has images', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.nat(60), fc.nat(1), (korean, latin, files) => {
      const text = letters(korean) + 'a'.repeat(latin)
      const fileKey = times(files, () => 'key')
      const expected = tryCountCp949Bytes(text)! <= 90 && files === 0 ? 'sms' : 'mms'
      assert.equal(fallbackChannel({ type: 'SMS', text, fileKey }), expected)
      assert.equal(fallbackChannel({ type: 'MMS', text, fileKey }), 'mms')
    }),
  )
})
