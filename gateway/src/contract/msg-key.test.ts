import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createMsgKey, isMsgKey, randomLetters, timeDigits } from './msg-key.ts'

const moment = fc.date({
  min: new Date('2000-01-01T00:00:00Z'),
  max: new Date('2100-01-01T00:00:00Z'),
  noInvalidDate: true,
})

test('a msgKey consists of the UTC time, the cell and 13 letters or digits', () => {
  const key = createMsgKey('K7', new Date('2026-03-09T01:02:03.004Z'))
  assert.match(key, /^20260309010203004K7[0-9A-Z]{13}$/)
  assert.ok(isMsgKey(key))
})

test('creates 100,000 unique keys in one millisecond', () => {
  const now = new Date()
  const keys = new Set(Array.from({ length: 100_000 }, () => createMsgKey('00', now)))
  assert.equal(keys.size, 100_000)
})

test('uses every letter and digit about equally often', () => {
  const counts = new Map<string, number>()
  for (const letter of randomLetters(72_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  assert.equal(counts.size, 36)
  for (const [letter, count] of counts) assert.ok(Math.abs(count - 2_000) < 400, `${letter}: ${count}`)
})

test('keys sort like their times', () => {
  fc.assert(
    fc.property(moment, moment, (left, right) => {
      fc.pre(left.getTime() < right.getTime())
      return createMsgKey('ZZ', left) < createMsgKey('00', right)
    }),
  )
})

test('the time digits of a key can be parsed', () => {
  fc.assert(
    fc.property(moment, (time) => {
      const digits = /^(....)(..)(..)(..)(..)(..)(...)$/.exec(timeDigits(time))!.slice(1)
      const [year, month, day, hour, minute, second, ms] = digits.map(Number)
      return Date.UTC(year!, month! - 1, day, hour, minute, second, ms) === time.getTime()
    }),
  )
})

for (const candidate of [
  '',
  '20260309010203004K7ABCDEFGHIJKL',
  '20260309010203004K7ABCDEFGHIJKLMN',
  '20260309010203004k7abcdefghijklm',
  'X0260309010203004K7ABCDEFGHIJKLM',
  "20260309010203004K7ABCDEFGHIJK'M",
  '20260309010203004K7ABCDEFGHIJKLM\n',
]) {
  test(`rejects ${JSON.stringify(candidate)} as a msgKey`, () => {
    assert.equal(isMsgKey(candidate), false)
  })
}
