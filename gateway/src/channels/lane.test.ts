import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smsStep } from '../../test/support/fixtures.ts'
import type { RichStep, Step } from './channel.ts'
import { chooseLane, defaultLane } from './lane.ts'

const kakao = (channel: 'alimtalk' | 'friendtalk' | 'brandmessage', content: object): RichStep => ({
  channel,
  content: { text: 'Hi', ...content },
})
const rcs = (content: object, ttlSeconds = 86_400): RichStep => ({ channel: 'rcs', content, ttlSeconds })

for (const [name, step, lane] of [
  ['an ordinary text', smsStep, 'normal'],
  ['a text with a deadline of five minutes', { ...smsStep, ttlSeconds: 300 }, 'urgent'],
  ['a text with a deadline of an hour', { ...smsStep, ttlSeconds: 3_600 }, 'normal'],
  ['an RCS message that expires after 40 seconds', rcs({}, 40), 'urgent'],
  ['a text that says it is an advertisement', { ...smsStep, text: '(광고) half price' }, 'bulk'],
  [
    'an advertisement with a deadline of a minute',
    { ...smsStep, text: ' ( 광고 ) now', ttlSeconds: 60 },
    'bulk',
  ],
  ['a text that only speaks of advertisements', { ...smsStep, text: 'about (광고)' }, 'normal'],
  ['a friendtalk marked as an advertisement', kakao('friendtalk', { adFlag: 'Y' }), 'bulk'],
  ['a friendtalk without adFlag', kakao('friendtalk', {}), 'bulk'],
  ['a friendtalk marked as no advertisement', kakao('friendtalk', { adFlag: 'N' }), 'normal'],
  ['a brand message without adFlag', kakao('brandmessage', {}), 'bulk'],
  ['a brand message marked as no advertisement', kakao('brandmessage', { adFlag: 'N' }), 'normal'],
  ['an alimtalk', kakao('alimtalk', {}), 'normal'],
  ['an RCS message with the advertisement header', rcs({ header: '1' }), 'bulk'],
] satisfies [string, Step, string][]) {
  test(`${name} is ${lane}`, () => assert.equal(chooseLane(step, null), lane))
}

test("an account's default lane applies unless the message determines another", () => {
  assert.equal(chooseLane(smsStep, 'urgent'), 'urgent')
  assert.equal(chooseLane({ ...smsStep, ttlSeconds: 60 }, 'normal'), 'urgent')
  assert.equal(chooseLane({ ...smsStep, text: '(광고) now' }, 'urgent'), 'bulk')
})

test('messages of an account with the lane bulk are never urgent', () => {
  assert.equal(chooseLane({ ...smsStep, ttlSeconds: 60 }, 'bulk'), 'bulk')
})

test('an account that is limited to codes has only those in the urgent lane', () => {
  const short = (text: string): Step => ({ ...smsStep, text, ttlSeconds: 180 })
  for (const text of [
    '[Shop] 인증번호 482913',
    'Your verification code is 4829',
    '본인확인 코드: A1B2C3',
    'OTP 12-3456',
  ])
    assert.equal(chooseLane(short(text), 'codes'), 'urgent', text)
  for (const text of [
    '오늘만 50% 할인',
    'Sale ends in 5 minutes, code SALE',
    '예약이 확정되었습니다 10:30',
    '인증 부탁드립니다',
  ])
    assert.equal(chooseLane(short(text), 'codes'), 'normal', text)
  assert.equal(chooseLane({ ...smsStep, text: '인증번호 482913' }, 'codes'), 'normal', 'without a time limit')
  assert.equal(chooseLane(short('(광고) 인증번호 482913'), 'codes'), 'bulk')
  assert.equal(chooseLane(rcs({ body: { description: '인증번호 482913' } }, 60), 'codes'), 'urgent')
  assert.equal(defaultLane('codes'), 'normal')
})
