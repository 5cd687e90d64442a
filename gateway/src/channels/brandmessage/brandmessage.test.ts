import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bubbles, buttons } from '../../../test/support/carriers/kakao-bubbles.ts'
import { requireValid } from '../issues.ts'
import type { BubbleType } from '../kakao/limits.ts'
import { fits, letters, refused } from '../../../test/support/carriers/kakao.ts'
import {
  checkContent,
  fieldCodes,
  getFileReferences,
  FlowEntry,
  getMsgType,
  SimpleBody,
  toSubmission,
  type Content,
} from './brandmessage.ts'

/** Path of the content in a flow. */
const pathPrefix = 'messageFlow[0].brandmessage.'
/** The content of a simple send is the body itself. */
const simpleSend = ''
const types = Object.keys(bubbles) as BubbleType[]
const free: Content = { ...bubbles.FT, sendType: 'free' }
const basic: Content = {
  senderKey: 'profile',
  msgType: 'FT',
  sendType: 'basic',
  targeting: 'M',
  templateCode: 'T1',
}
const check =
  (content: Content, changes: object = {}) =>
  () =>
    requireValid((issues) => checkContent({ ...content, ...changes }, pathPrefix, issues))

test('brandmessage free: accepts the smallest complete bubble of every msgType', () => {
  for (const type of types) {
    const content: Content = { ...bubbles[type], sendType: 'free' }
    check(content)()
    assert.ok(fits(FlowEntry, content), type)
    assert.equal(getMsgType(content), type)
  }
})

test('brandmessage free: has the limits of its bubble', () => {
  check(free, { text: letters(1_000) })()
  assert.throws(check(free, { text: letters(1_001) }), refused('A328', `${pathPrefix}text`))
  assert.throws(check(free, { text: undefined }), refused('A303', `${pathPrefix}text`))
  assert.throws(check(free, { msgType: 'FI' }), refused('A513', `${pathPrefix}attachment.image`))
  assert.throws(check(free, { msgType: 'FL', text: undefined }), refused('A565', `${pathPrefix}header`))
})

test('brandmessage basic: content is optional, and has the limits of its bubble', () => {
  for (const msgType of types) check(basic, { msgType })()
  assert.throws(check(basic, { text: letters(1_001) }), refused('A328', `${pathPrefix}text`))
  assert.throws(check(basic, { carousel: { list: [] } }), refused('A568', `${pathPrefix}carousel`))
})

test('brandmessage targeting: required with basic (A570), not with free', () => {
  for (const targeting of ['M', 'N', 'I']) {
    check(basic, { targeting })()
    assert.ok(fits(FlowEntry, { ...basic, targeting }))
  }
  assert.ok(!fits(FlowEntry, { ...basic, targeting: 'X' }))
  assert.throws(check(basic, { targeting: undefined }), refused('A570', `${pathPrefix}targeting`))
  check(free, { targeting: 'I' })()
})

test('brandmessage templateCode: required with basic, 50 characters (A505)', () => {
  check(basic, { templateCode: 'T'.repeat(50) })()
  assert.throws(check(basic, { templateCode: 'T'.repeat(51) }), refused('A505', `${pathPrefix}templateCode`))
  assert.throws(check(basic, { templateCode: undefined }), refused('A505', `${pathPrefix}templateCode`))
})

test('brandmessage adult: free only (A569)', () => {
  check(free, { adult: 'Y' })()
  assert.throws(check(basic, { adult: 'Y' }), refused('A569', `${pathPrefix}adult`))
})

const variables = {
  messageVariable: { name: '홍길동' },
  buttonVariable: { url: 'x' },
  couponVariable: { title: 'x' },
  imageVariable: [{ imgUrl: 'https://img/1', imgLink: 'https://example.com' }, { imgUrl: 'https://img/2' }],
  videoVariable: { url: 'x' },
  commerceVariable: { price: 1 },
  carouselVariable: [{ message_variable: { name: 'x' } }],
}

test('brandmessage variables: basic only', () => {
  assert.ok(fits(FlowEntry, { ...basic, ...variables }))
  check(basic, variables)()
  for (const [name, value] of Object.entries(variables)) {
    assert.throws(check(free, { [name]: value }), refused('A300', `${pathPrefix}${name}`))
  }
})

test('brandmessage imageVariable and carouselVariable: one object or a list', () => {
  const single = { imageVariable: { imgUrl: 'https://img/1' }, carouselVariable: { messageVariable: {} } }
  assert.ok(fits(SimpleBody, { ...basic, ...single, to: '01012345678' }))
  check(basic, single)()
  const submission = toSubmission({ ...basic, ...single })
  assert.deepEqual(submission.variables, {
    image: [{ imgUrl: 'https://img/1' }],
    carousel: [{ messageVariable: {} }],
  })
  assert.throws(
    check(basic, { imageVariable: { imgUrl: '' } }),
    refused('A513', `${pathPrefix}imageVariable.imgUrl`),
  )
  assert.throws(
    check(basic, { imageVariable: [{ imgUrl: '' }] }),
    refused('A513', `${pathPrefix}imageVariable[0].imgUrl`),
  )
})

test('brandmessage opt-out: 13 digits and hyphens of number, 10 characters of code', () => {
  check(free, { unsubscribePhoneNumber: '080-1234-5678', unsubscribeAuthNumber: '1234567890' })()
  for (const number of ['080-1234-56789', '080 1234', '-080', '', 'call us']) {
    assert.throws(
      check(free, { unsubscribePhoneNumber: number }),
      refused('A300', `${pathPrefix}unsubscribePhoneNumber`),
      number,
    )
  }
  assert.throws(
    check(free, { unsubscribeAuthNumber: '12345678901' }),
    refused('A300', `${pathPrefix}unsubscribeAuthNumber`),
  )
})

test('brandmessage content: at most 30720 bytes of JSON', () => {
  const filled = (bytes: number): Content => {
    const empty = Buffer.byteLength(JSON.stringify({ ...basic, messageVariable: { x: '' } }))
    return { ...basic, messageVariable: { x: 'a'.repeat(bytes - empty) } }
  }
  check(filled(30_720))()
  assert.throws(check(filled(30_721)), refused('A300', 'messageFlow[0].brandmessage'))
})

test('brandmessage simple send: free rejects the msgType of a bubble that it cannot carry (A523), basic accepts it', () => {
  const { senderKey } = bubbles.FT
  for (const msgType of ['FL', 'FC', 'FM', 'FA', 'FP'] as const) {
    const bare: Content = { senderKey, msgType, sendType: 'free' }
    assert.throws(
      () => requireValid((issues) => checkContent(bare, simpleSend, issues)),
      refused('A523', 'msgType'),
    )
    requireValid((issues) => checkContent({ ...basic, msgType }, simpleSend, issues))
  }
  requireValid((issues) =>
    checkContent(
      { senderKey, msgType: 'FW', sendType: 'free', text: 'x', imgUrl: 'https://img/1', button: buttons(2) },
      simpleSend,
      issues,
    ),
  )
})

test('brandmessage bodies: each shape has its own fields and no unknown ones', () => {
  const simple = {
    ...free,
    to: '01012345678',
    originCID: '123456789',
    groupTagKey: 'g',
    pushAlarm: 'N',
    ref: 'r',
  }
  assert.ok(fits(SimpleBody, simple))
  for (const wrong of [
    { attachment: {} },
    { carousel: {} },
    { sendType: 'template' },
    { header: 'x' },
    { x: 1 },
  ]) {
    assert.ok(!fits(SimpleBody, { ...simple, ...wrong }), JSON.stringify(wrong))
  }
  for (const wrong of [
    { to: '01012345678' },
    { button: [] },
    { imgUrl: 'x' },
    { msgType: 'AT' },
    { adult: 'y' },
  ]) {
    assert.ok(!fits(FlowEntry, { ...free, ...wrong }), JSON.stringify(wrong))
  }
})

test('brandmessage fields: sendType, targeting and adult have their own codes', () => {
  assert.deepEqual([fieldCodes.sendType, fieldCodes.targeting, fieldCodes.adult], ['A571', 'A570', 'A569'])
})

test('brandmessage submission: the bubble, its options, and the variables by part', () => {
  const content: Content = {
    ...basic,
    ...variables,
    originCID: '123456789',
    unsubscribePhoneNumber: '080-1234-5678',
    unsubscribeAuthNumber: '12345',
    groupTagKey: 'g',
    pushAlarm: 'N',
  }
  assert.deepEqual(toSubmission(content), {
    messageType: 'FT',
    senderKey: 'profile',
    groupTagKey: 'g',
    adFlag: 'Y',
    adult: 'N',
    pushAlarm: 'N',
    sendType: 'basic',
    targeting: 'M',
    templateCode: 'T1',
    unsubscribePhoneNumber: '080-1234-5678',
    unsubscribeAuthNumber: '12345',
    originCid: '123456789',
    variables: {
      message: variables.messageVariable,
      button: variables.buttonVariable,
      coupon: variables.couponVariable,
      image: variables.imageVariable,
      video: variables.videoVariable,
      commerce: variables.commerceVariable,
      carousel: variables.carouselVariable,
    },
  })
  assert.equal(toSubmission(free).variables, undefined)
})

test('brandmessage files: images of the bubble and of the variables', () => {
  assert.deepEqual(getFileReferences({ ...bubbles.FI, sendType: 'free' }), [
    { key: 'https://img/1', path: 'attachment.image.imgUrl', use: 'BRANDMESSAGE', kinds: ['default'] },
  ])
  assert.deepEqual(getFileReferences({ ...basic, ...variables }), [
    { key: 'https://img/1', path: 'imageVariable[0].imgUrl', use: 'BRANDMESSAGE' },
    { key: 'https://img/2', path: 'imageVariable[1].imgUrl', use: 'BRANDMESSAGE' },
  ])
  const carouselVariable = [
    { imageVariable: { imgUrl: 'https://img/1' }, messageVariable: { imgUrl: 'a text' } },
    // Clients spell the parts of a card in camel case or snake case.
    { image_variable: [{ img_url: 'https://img/2' }] },
  ]
  assert.deepEqual(
    getFileReferences({ ...basic, msgType: 'FC', carouselVariable }).map(({ key, path, kinds }) => [
      key,
      path,
      kinds,
    ]),
    [
      ['https://img/1', 'carouselVariable[0].imageVariable.imgUrl', ['carouselFeed']],
      ['https://img/2', 'carouselVariable[1].image_variable[0].img_url', ['carouselFeed']],
    ],
  )
  const { attachment } = bubbles.FP as { attachment: { video: object } }
  const video = { ...attachment.video, thumbnailUrl: 'https://img/3' }
  assert.deepEqual(
    getFileReferences({ ...bubbles.FP, attachment: { ...attachment, video }, sendType: 'free' } as Content),
    [{ key: 'https://img/3', path: 'attachment.video.thumbnailUrl', use: 'BRANDMESSAGE' }],
  )
})
