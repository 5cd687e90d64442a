import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requireValid } from '../issues.ts'
import { KakaoButton, checkKakaoButtons } from './buttons.ts'
import { checkQuickReplies, QuickReply } from './quick-replies.ts'
import { fits, letters, refused } from '../../../test/support/carriers/kakao.ts'

const limits = { min: 1, max: 2, name: 14 }
const keyword: KakaoButton = { type: 'BK', name: 'menu' }
const check = (buttons: readonly KakaoButton[]) => () =>
  requireValid((issues) => checkKakaoButtons(buttons, limits, 'attachment.button', issues))

test('button count: both ends of the range are accepted, one beyond either is A503', () => {
  check([keyword])()
  check([keyword, keyword])()
  assert.throws(check([]), refused('A503', 'attachment.button'))
  assert.throws(check([keyword, keyword, keyword]), refused('A503', 'attachment.button'))
})

test('button.name: accepts 14 characters, rejects 15 and none with A525', () => {
  check([{ ...keyword, name: letters(14) }])()
  check([{ ...keyword, name: letters(14).normalize('NFD') }])()
  const long = { ...keyword, name: letters(15) }
  assert.throws(check([keyword, long]), refused('A525', 'attachment.button[1].name'))
  assert.throws(check([{ ...keyword, name: '' }]), refused('A525', 'attachment.button[0].name'))
})

const urlMobile = 'https://example.com'

test('button.type WL: needs urlMobile', () => {
  check([{ type: 'WL', name: 'web', urlMobile, target: 'out' }])()
  const path = 'attachment.button[0].urlMobile'
  assert.throws(check([{ type: 'WL', name: 'web', urlPc: urlMobile }]), refused('A503', path))
  assert.throws(check([{ type: 'WL', name: 'web', urlMobile: '' }]), refused('A503', path))
})

test('button.type AL: needs two of schemeIos, schemeAndroid and urlMobile', () => {
  const app = { type: 'AL', name: 'app' } as const
  for (const enough of [
    { schemeIos: 'a://', schemeAndroid: 'a://' },
    { schemeIos: 'a://', urlMobile },
    { schemeAndroid: 'a://', urlMobile },
  ]) {
    check([{ ...app, ...enough }])()
  }
  for (const tooFew of [
    {},
    { schemeIos: 'a://' },
    { urlMobile, urlPc: urlMobile },
    { urlMobile, schemeIos: '' },
  ]) {
    assert.throws(check([{ ...app, ...tooFew }]), refused('A503', 'attachment.button[0]'))
  }
})

test('button.type BF: needs a business form', () => {
  check([{ type: 'BF', name: 'form', bizFormId: '1' }])()
  check([{ type: 'BF', name: 'form', bizFormKey: 'k' }])()
  assert.throws(check([{ type: 'BF', name: 'form' }]), refused('A503', 'attachment.button[0].bizFormId'))
})

test('button.type: exactly the nine of the code set, and no unknown field', () => {
  for (const type of ['WL', 'AL', 'BK', 'MD', 'DS', 'BC', 'BT', 'AC', 'BF']) {
    assert.ok(fits(KakaoButton, { type, name: 'x' }), type)
  }
  for (const type of ['', 'wl', 'XX', 1]) assert.ok(!fits(KakaoButton, { type, name: 'x' }))
  assert.ok(fits(KakaoButton, { ...keyword, pluginId: 'p', relayId: 'r', oneclickId: 'o', productId: 'q' }))
  assert.ok(!fits(KakaoButton, { ...keyword, url: urlMobile }))
})

const reply: QuickReply = { type: 'BK', name: 'yes' }
const quick = (replies: readonly QuickReply[]) => () =>
  requireValid((issues) => checkQuickReplies(replies, 'supplement.quickReply', issues))

test('quickReply: accepts 5, rejects 6 with A562', () => {
  quick(Array.from({ length: 5 }, () => reply))()
  const six = Array.from({ length: 6 }, () => reply)
  assert.throws(quick(six), refused('A562', 'supplement.quickReply'))
})

test('quickReply BF: needs the id or the key of its business form', () => {
  const form = { type: 'BF', name: 'Survey' } as const
  for (const reply of [
    { ...form, bizFormId: '1' },
    { ...form, bizFormKey: 'k' },
  ]) {
    quick([reply])()
    assert.ok(fits(QuickReply, reply))
  }
  assert.throws(quick([form]), refused('A562', 'supplement.quickReply[0].bizFormId'))
})

test('quickReply.name: accepts 14 characters, rejects 15 and none with A564', () => {
  quick([{ ...reply, name: letters(14) }])()
  for (const name of [letters(15), '']) {
    assert.throws(quick([{ ...reply, name }]), refused('A564', 'supplement.quickReply[0].name'))
  }
})

test('quickReply.type: the seven of the code set; WL and AL need their links', () => {
  for (const type of ['WL', 'AL', 'BK', 'BC', 'BT', 'BF', 'MD'])
    assert.ok(fits(QuickReply, { type, name: 'x' }))
  for (const type of ['DS', 'AC', 'xx']) assert.ok(!fits(QuickReply, { type, name: 'x' }))
  quick([{ type: 'WL', name: 'web', urlMobile }])()
  assert.throws(quick([{ type: 'WL', name: 'web' }]), refused('A562', 'supplement.quickReply[0].urlMobile'))
  assert.throws(quick([{ type: 'AL', name: 'app' }]), refused('A562', 'supplement.quickReply[0]'))
})
