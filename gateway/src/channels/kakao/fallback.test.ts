import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import { requireValid } from '../issues.ts'
import { checkKakaoFallback, KakaoFallback, toFallbackStep } from './fallback.ts'
import { fits, refused } from '../../../test/support/carriers/kakao.ts'

const sms: KakaoFallback = { type: 'SMS', from: '0234567890', text: 'hello' }
const mms: KakaoFallback = { ...sms, type: 'MMS' }
const check = (fallback: KakaoFallback) => () =>
  requireValid((issues) => checkKakaoFallback(fallback, 'fallback.', issues))

test('fallback.text as SMS: 90 bytes are an SMS, 91 to 2000 an LMS (channel mms)', () => {
  const channelOf = (text: string) => toFallbackStep({ ...sms, text }).channel
  assert.equal(channelOf('가'.repeat(45)), 'sms')
  for (const text of [`${'가'.repeat(45)}a`, '가'.repeat(1_000)]) {
    check({ ...sms, text })()
    assert.equal(channelOf(text), 'mms')
  }
})

test('fallback.text: accepts 2000 bytes, rejects 2001 with A329', () => {
  check({ ...mms, text: '가'.repeat(1_000) })()
  const tooLong = `${'가'.repeat(1_000)}a`
  assert.throws(check({ ...mms, text: tooLong }), refused('A329', 'fallback.text'))
  assert.throws(check({ ...sms, text: tooLong }), refused('A329', 'fallback.text'))
})

test('fallback.text as SMS: an LMS (channel mms) exactly when CP949 needs more than 90 bytes for it', () => {
  const text = fc.array(fc.constantFrom('a', '가', '\r\n', '펲'.normalize('NFD')), {
    minLength: 1,
    maxLength: 100,
  })
  fc.assert(
    fc.property(text, (pieces) => {
      const candidate = pieces.join('')
      const normalized = candidate.normalize('NFC').replaceAll('\r\n', '\n')
      const fitsSms = iconv.encode(normalized, 'cp949').length <= 90
      assert.equal(toFallbackStep({ ...sms, text: candidate }).channel, fitsSms ? 'sms' : 'mms')
    }),
  )
})

test('fallback.text: rejects with A314 an empty text and a character that cannot be sent', () => {
  assert.throws(check({ ...mms, text: '' }), refused('A314', 'fallback.text'))
  assert.throws(check({ ...mms, text: '😀' }), refused('A314', 'fallback.text', /U\+1F600/))
})

test('fallback.title: accepts 40 bytes, rejects 41 with A300', () => {
  check({ ...mms, title: '가'.repeat(20) })()
  assert.throws(check({ ...mms, title: 'a'.repeat(41) }), refused('A300', 'fallback.title'))
})

test('fallback.fileKey: accepts 3, rejects 4 with A317', () => {
  check({ ...mms, fileKey: ['a', 'b', 'c'] })()
  assert.throws(check({ ...mms, fileKey: ['a', 'b', 'c', 'd'] }), refused('A317', 'fallback.fileKey'))
})

test('fallback.fileKey: an SMS with files is sent as MMS', () => {
  check({ ...sms, fileKey: ['a'] })()
  const { from, text } = sms
  assert.deepEqual(toFallbackStep({ ...sms, fileKey: ['a'] }), {
    channel: 'mms',
    content: { from, text, fileKey: ['a'] },
  })
  assert.equal(toFallbackStep({ ...sms, fileKey: [] }).channel, 'sms')
})

test('fallback.from: required, and rejected with A302 when it is not a sender number', () => {
  assert.ok(!fits(KakaoFallback, { type: 'SMS', text: 'hello' }))
  assert.throws(check({ ...sms, from: '11' }), refused('A302', 'fallback.from'))
})

test('fallback shape: only SMS and MMS, nine digits of originCID, no empty fileKey, no unknown field', () => {
  assert.ok(fits(KakaoFallback, { ...mms, title: 't', fileKey: ['a'], originCID: '123456789' }))
  for (const wrong of [{ type: 'LMS' }, { originCID: '1234567890' }, { fileKey: [''] }, { unknown: 1 }]) {
    assert.ok(!fits(KakaoFallback, { ...mms, ...wrong }))
  }
})

test('a fallback becomes the step of its type, with the fields of that channel', () => {
  const content = { from: '0234567890', text: 'hello', title: 't', fileKey: ['a'], originCID: '123456789' }
  const full: KakaoFallback = { ...content, type: 'MMS' }
  assert.deepEqual(toFallbackStep(full), { channel: 'mms', content })
  assert.deepEqual(toFallbackStep({ ...sms, title: 't' }), {
    channel: 'sms',
    content: { from: '0234567890', text: 'hello' },
  })
})
