import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fits, letters, refused } from '../../../test/support/carriers/kakao.ts'
import { requireValid } from '../issues.ts'
import {
  checkContent,
  fieldCodes,
  getFileReferences,
  FlowEntry,
  getMsgType,
  SimpleBody,
  toSubmission,
  type Content,
} from './alimtalk.ts'

const content: Content = { senderKey: 'profile', msgType: 'AT', templateCode: 'T1', text: 'hello' }
const at = 'messageFlow[0].alimtalk.'
const check = (changes: Partial<Content>) => () =>
  requireValid((issues) => checkContent({ ...content, ...changes }, at, issues))
const attach = (attachment: NonNullable<Content['attachment']>, msgType: 'AT' | 'AI' = 'AT') =>
  check({ attachment, msgType })
const two = [{ title: 'a' }, { title: 'b' }]

for (const { field, max, code } of [
  { field: 'senderKey', max: 40, code: 'A502' },
  { field: 'templateCode', max: 50, code: 'A505' },
  { field: 'text', max: 1_000, code: 'A328' },
  { field: 'title', max: 50, code: 'A300' },
  { field: 'header', max: 16, code: 'A565' },
] as const) {
  test(`alimtalk ${field}: accepts ${max} characters, rejects ${max + 1} with ${code}`, () => {
    check({ [field]: letters(max) })()
    check({ [field]: letters(max).normalize('NFD') })()
    assert.throws(check({ [field]: letters(max + 1) }), refused(code, `${at}${field}`))
  })
}

test('alimtalk senderKey, templateCode and text: rejected when a placeholder leaves them empty', () => {
  assert.throws(check({ senderKey: '' }), refused('A502', `${at}senderKey`))
  assert.throws(check({ templateCode: '' }), refused('A505', `${at}templateCode`))
  assert.throws(check({ text: '' }), refused('A303', `${at}text`))
})

test('alimtalk text with an item list: accepts 700 characters, rejects 701', () => {
  const attachment = { item: { list: two } }
  check({ attachment, text: letters(700) })()
  assert.throws(check({ attachment, text: letters(701) }), refused('A328', `${at}text`))
})

test('alimtalk button: accepts 5 in either shape, rejects 6 with A503 at its own path', () => {
  const buttons = (count: number) =>
    Array.from({ length: count }, () => ({ type: 'DS' as const, name: 'track' }))
  check({ button: buttons(5) })()
  check({ attachment: { button: buttons(5) } })()
  assert.throws(check({ button: buttons(6) }), refused('A503', `${at}button`))
  assert.throws(attach({ button: buttons(6) }), refused('A503', `${at}attachment.button`))
  check({ button: [{ type: 'DS', name: letters(14) }] })()
  const long = [{ type: 'DS' as const, name: letters(15) }]
  assert.throws(
    () => requireValid((issues) => checkContent({ ...content, button: long }, '', issues)),
    refused('A525', 'button[0].name'),
  )
})

test('alimtalk item.list: accepts 2 and 10 items, rejects 1 and 11 with A521', () => {
  for (const count of [2, 10])
    attach({ item: { list: Array.from({ length: count }, () => ({ title: 'a' })) } })()
  for (const count of [1, 11]) {
    const list = Array.from({ length: count }, () => ({ title: 'a' }))
    assert.throws(attach({ item: { list } }), refused('A521', `${at}attachment.item.list`))
  }
})

test('alimtalk item: title 6 and description 23 characters', () => {
  attach({ item: { list: [...two, { title: letters(6), description: letters(23) }] } })()
  const path = `${at}attachment.item.list[2]`
  for (const [wrong, field] of [
    [{ title: letters(7) }, 'title'],
    [{ title: '' }, 'title'],
    [{ title: 'a', description: letters(24) }, 'description'],
  ] as const) {
    assert.throws(attach({ item: { list: [...two, wrong] } }), refused('A521', `${path}.${field}`))
  }
})

test('alimtalk item.summary: title 6 and description 14 characters, an amount of money', () => {
  const summary = (title: string, description: string) =>
    attach({ item: { list: two, summary: { title, description } } })
  const path = `${at}attachment.item.summary`
  summary(letters(6), '1,234,567.89원')()
  assert.throws(summary(letters(7), '1원'), refused('A561', `${path}.title`))
  summary('sum', '12345678901234')()
  assert.throws(summary('sum', '123456789012345'), refused('A561', `${path}.description`))
  for (const amount of ['$10.50', '₩1,000', 'KRW 1 000', '1000 USD', '10 €', '500円', '0'])
    summary('sum', amount)()
  for (const wrong of ['', 'free', '10.505', '1000won', '$', '-10', '$10$$', '10%']) {
    assert.throws(summary('sum', wrong), refused('A561', `${path}.description`), wrong)
  }
})

for (const [msgType, title, description] of [
  ['AT', 30, 19],
  ['AI', 21, 13],
] as const) {
  test(`alimtalk itemHighlight with ${msgType}: title ${title}, description ${description} characters`, () => {
    const path = `${at}attachment.itemHighlight`
    const highlight = (itemHighlight: object) => attach({ itemHighlight }, msgType)
    highlight({ title: letters(title), description: letters(description) })()
    assert.throws(highlight({ title: letters(title + 1) }), refused('A560', `${path}.title`))
    assert.throws(
      highlight({ description: letters(description + 1) }),
      refused('A560', `${path}.description`),
    )
  })
}

test('alimtalk quickReply: rejected at its path with its own codes', () => {
  const reply = { type: 'BK' as const, name: letters(15) }
  const path = `${at}supplement.quickReply[0].name`
  assert.throws(check({ supplement: { quickReply: [reply] } }), refused('A564', path))
})

test('alimtalk link: both URLs are required', () => {
  check({ link: { urlMobile: 'https://m', urlPc: 'https://p' } })()
  assert.throws(
    check({ link: { urlMobile: '', urlPc: 'https://p' } }),
    refused('A300', `${at}link.urlMobile`),
  )
  assert.throws(check({ link: { urlMobile: 'https://m', urlPc: '' } }), refused('A300', `${at}link.urlPc`))
})

test('alimtalk price: digits with at most 2 decimals, otherwise A559', () => {
  for (const price of ['0', '19900', '19.99']) check({ price, currencyType: 'KRW' })()
  for (const price of ['', '1,000', '1.999', '-1', '10 won']) {
    assert.throws(check({ price }), refused('A559', `${at}price`))
  }
})

test('alimtalk bodies accept AT and AI only, and each shape only its own fields', () => {
  const simple = { ...content, to: '01012345678' }
  const fallback = { type: 'SMS', from: '0234567890', text: 'x' }
  assert.ok(fits(SimpleBody, { ...simple, button: [{ type: 'DS', name: 'x' }], fallback, ref: 'r' }))
  for (const wrong of [
    { msgType: 'AL' },
    { attachment: {} },
    { ref: 'r'.repeat(201) },
    { price: '1' },
    { x: 1 },
  ]) {
    assert.ok(!fits(SimpleBody, { ...simple, ...wrong }), JSON.stringify(wrong))
  }
  assert.ok(
    fits(FlowEntry, { ...content, msgType: 'AI', currencyType: 'EUR', supplement: { quickReply: [] } }),
  )
  for (const wrong of [{ to: '01012345678' }, { button: [] }, { fallback }, { currencyType: 'JPY' }]) {
    assert.ok(!fits(FlowEntry, { ...content, ...wrong }), JSON.stringify(wrong))
  }
  const required = ['senderKey', 'msgType', 'templateCode', 'text']
  for (const field of required) assert.ok(!fits(FlowEntry, { ...content, [field]: undefined }))
  assert.deepEqual(
    required.map((field) => fieldCodes[field]),
    ['A502', 'A523', 'A505', 'A303'],
  )
})

test('alimtalk submission: both shapes give the same result, with normalized texts', () => {
  const button = [{ type: 'WL' as const, name: 'open', urlMobile: 'https://m' }]
  const simple = { ...content, to: '01012345678', ref: 'r', button, text: 'one\r\ntwo' }
  const expected = {
    messageType: 'AT',
    senderKey: 'profile',
    templateCode: 'T1',
    message: 'one\ntwo',
    attachment: { button },
  }
  assert.deepEqual(toSubmission(simple), expected)
  assert.deepEqual(toSubmission({ ...content, text: 'one\r\ntwo', attachment: { button } }), expected)
})

test('alimtalk submission: contains every part of the content, and nothing else', () => {
  const { msgType, text, ...rest } = content
  const plain = { messageType: msgType, message: text, ...rest }
  assert.deepEqual(toSubmission(content), plain)
  assert.deepEqual(toSubmission({ ...content, attachment: {}, supplement: { quickReply: [] } }), plain)
  const parts = {
    title: 'title',
    header: 'header',
    link: { urlMobile: 'https://m', urlPc: 'https://p' },
    attachment: { item: { list: two }, itemHighlight: { title: '각' } },
    supplement: { quickReply: [{ type: 'BK' as const, name: 'yes' }] },
    price: '100',
    currencyType: 'KRW' as const,
  }
  const decomposed = { ...parts.attachment, itemHighlight: { title: '각'.normalize('NFD') } }
  assert.deepEqual(toSubmission({ ...content, ...parts, attachment: decomposed }), { ...plain, ...parts })
})

test('alimtalk: the content has a msgType and refers to no uploaded file', () => {
  assert.equal(getMsgType({ ...content, msgType: 'AI' }), 'AI')
  assert.deepEqual(getFileReferences(), [])
})
