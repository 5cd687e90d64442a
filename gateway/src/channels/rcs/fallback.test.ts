/** POST /v1/send/rcs, fallback object: both sides of each row. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { requireValid } from '../issues.ts'
import { tryCountCp949Bytes } from '../text/cp949.ts'
import { fallbackChannel } from '../text-fallback.ts'
import { Fallback, checkFallback } from './fallback.ts'
import { letters, throwsProblem, times } from '../../../test/support/rcs.ts'

const minimal: Fallback = { type: 'MMS', text: '안녕' }
const takes = (change: Partial<Fallback>) =>
  assert.doesNotThrow(() =>
    requireValid((issues) => checkFallback({ ...minimal, ...change }, 'fallback.', issues)),
  )
const refuses = (change: Partial<Fallback>, code: string, field: string, reason?: RegExp) =>
  throwsProblem(
    () => requireValid((issues) => checkFallback({ ...minimal, ...change }, 'fallback.', issues)),
    code,
    `fallback.${field}`,
    reason,
  )

test('RCS fallback type: SMS or MMS; type and text are required', () => {
  assert.ok(Value.Check(Fallback, minimal) && Value.Check(Fallback, { ...minimal, type: 'SMS' }))
  for (const wrong of [
    { ...minimal, type: 'LMS' },
    { type: 'SMS' },
    { text: 'x' },
    { ...minimal, to: 'x' },
  ]) {
    assert.ok(!Value.Check(Fallback, wrong), JSON.stringify(wrong))
  }
})

test('RCS fallback originCID: exactly 9 digits', () => {
  assert.ok(Value.Check(Fallback, { ...minimal, originCID: '123456789' }))
  for (const originCID of ['12345678', '1234567890', '12345678a']) {
    assert.ok(!Value.Check(Fallback, { ...minimal, originCID }), originCID)
  }
})

test('RCS fallback text: at most 2000 bytes, for SMS and MMS alike', () => {
  for (const type of ['SMS', 'MMS'] as const) {
    takes({ type, text: letters(1000) })
    refuses({ type, text: `${letters(1000)}.` }, 'A329', 'text', /2001/)
  }
  takes({ text: letters(1000).normalize('NFD') })
  refuses({ text: '' }, 'A314', 'text')
})

test('RCS fallback text: a character that a text message cannot carry is named', () => {
  refuses({ text: '안녕😀' }, 'A314', 'text', /U\+1F600 at position 2/)
  refuses({ title: '—' }, 'A300', 'title', /U\+2014/)
})

test('RCS fallback title: at most 40 bytes', () => {
  takes({ title: letters(20) })
  refuses({ title: `${letters(20)}.` }, 'A300', 'title', /41/)
})

test('RCS fallback fileKey: at most 3', () => {
  takes({ fileKey: ['a', 'b', 'c'] })
  refuses({ fileKey: ['a', 'b', 'c', 'd'] }, 'A317', 'fileKey', /found 4/)
})

test('RCS fallback from: optional, a sender number when given', () => {
  takes({ from: '0212345678' })
  refuses({ from: '02-1234-5678' }, 'A302', 'from')
})

test('an SMS fallback becomes MMS when it does not fit one SMS or has images, and never otherwise', () => {
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
