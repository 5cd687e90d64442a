/** Lanes: a step with a short time limit is urgent, an advertisement never is, and an account may have a default. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smsStep } from '../../test/support/fixtures.ts'
import type { RichStep, Step } from './channel.ts'
import { laneOf } from './lane.ts'

const kakao = (channel: 'alimtalk' | 'friendtalk' | 'brandmessage', content: object): RichStep => ({
  channel,
  content: { text: 'Hi', ...content },
})
const rcs = (content: object, ttlSeconds = 86_400): RichStep => ({ channel: 'rcs', content, ttlSeconds })

for (const [what, step, lane] of [
  ['an ordinary text', smsStep, 'normal'],
  ['a text with a deadline of five minutes', { ...smsStep, ttlSeconds: 300 }, 'urgent'],
  ['a text with a deadline of an hour', { ...smsStep, ttlSeconds: 3_600 }, 'normal'],
  ['an RCS message that expires after 40 seconds', rcs({}, 40), 'urgent'],
  ['a text that says it is an advertisement', { ...smsStep, text: '(광고) half price' }, 'bulk'],
  ['an advertisement in a hurry', { ...smsStep, text: ' ( 광고 ) now', ttlSeconds: 60 }, 'bulk'],
  ['a text that only speaks of advertisements', { ...smsStep, text: 'about (광고)' }, 'normal'],
  ['a friendtalk marked as an advertisement', kakao('friendtalk', { adFlag: 'Y' }), 'bulk'],
  ['a friendtalk that says nothing of it', kakao('friendtalk', {}), 'bulk'],
  ['a friendtalk marked as none', kakao('friendtalk', { adFlag: 'N' }), 'normal'],
  ['a brand message that says nothing of it', kakao('brandmessage', {}), 'bulk'],
  ['a brand message marked as none', kakao('brandmessage', { adFlag: 'N' }), 'normal'],
  ['an alimtalk', kakao('alimtalk', {}), 'normal'],
  ['an RCS message with the advertisement header', rcs({ header: '1' }), 'bulk'],
] satisfies [string, Step, string][]) {
  test(`${what} is ${lane}`, () => assert.equal(laneOf(step, null), lane))
}

test("an account's default lane applies unless the message determines another", () => {
  assert.equal(laneOf(smsStep, 'urgent'), 'urgent')
  assert.equal(laneOf({ ...smsStep, ttlSeconds: 60 }, 'normal'), 'urgent')
  assert.equal(laneOf({ ...smsStep, text: '(광고) now' }, 'urgent'), 'bulk')
})

test('nothing of an account that sends in bulk is urgent', () => {
  assert.equal(laneOf({ ...smsStep, ttlSeconds: 60 }, 'bulk'), 'bulk')
})
