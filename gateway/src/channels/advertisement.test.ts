import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../test/support/measure/cpu-time.ts'
import { isAdvertisement, getAdvertisementMark } from './advertisement.ts'

test('only the mark at the beginning is exact, and words about advertisements are no mark', () => {
  assert.equal(getAdvertisementMark('(광고) half price'), 'exact')
  for (const text of [
    'half price (광고)',
    '광고 문의 02-345-6789',
    '(광고문의) call',
    '[Web발신] hello',
    '[Shop] (광고문의) call',
    '[Shop] hello (광고)',
    '1. 광고 안내',
    '광고(안내) hello',
    '(광고',
    '',
  ])
    assert.equal(getAdvertisementMark(text), 'none', text)
})

for (const mark of [
  ...['(광 고)', '(광/고)', '(광.고)', '(광_고)', '(광,고)', '("광고")', '[광고]', '(대출광고)', '( 광고 )'],
  ...[' (광고)', '（광고）', '【광고】', '(광\u200b고)', '(광고)'.normalize('NFD')],
  ...[
    '[Web발신]\n(광고)',
    '[국제발신](광고)',
    '★(광고)',
    '.(광고)',
    '광고)',
    '[Shop] (광고)',
    '1. (광 고)',
    '\u3164(광고)',
  ],
  ...['\u200b(광고)', '과\u11bc고)'],
])
  test(`${JSON.stringify(mark)} is a variant of the mark`, () => {
    assert.equal(getAdvertisementMark(`${mark} half price`), 'variant')
    assert.equal(isAdvertisement({ channel: 'sms', from: '021234567', text: `${mark} half price` }), true)
  })

test('a mark in a text counts, whatever the advertisement field declares', () => {
  const rich = (channel: 'rcs' | 'friendtalk' | 'brandmessage' | 'alimtalk', content: object): boolean =>
    isAdvertisement({ channel, content })
  for (const text of ['[광고] sale', '(광 고)sale', '（광고）sale']) {
    assert.equal(rich('rcs', { header: '0', content: { standalone: { text } } }), true, text)
    assert.equal(rich('friendtalk', { adFlag: 'N', text }), true, text)
    assert.equal(rich('brandmessage', { adFlag: 'N', attachment: { item: [{ title: text }] } }), true, text)
    assert.equal(rich('alimtalk', { title: text }), true, text)
  }
  assert.equal(rich('rcs', { header: '0', content: { standalone: { text: 'hello' } } }), false)
  assert.equal(rich('friendtalk', { adFlag: 'N', text: 'hello' }), false)
})

test('a long text is read within a millisecond, whatever it begins with', () => {
  for (const text of [
    '('.repeat(4_000),
    `(${'광'.repeat(4_000)})`,
    ' '.repeat(4_000),
    '()'.repeat(2_000),
    '★[광'.repeat(999),
  ]) {
    const elapsedMs = cpuMs(() => {
      for (let nth = 0; nth < 100; nth++) getAdvertisementMark(text)
    })
    assert.ok(elapsedMs < 100, `${elapsedMs} ms`)
  }
})
