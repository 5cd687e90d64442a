import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bubbles, buttons, coupon } from '../../../test/support/carriers/kakao-bubbles.ts'
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
} from './friendtalk.ts'

const at = 'messageFlow[2].friendtalk.'
const types = Object.keys(bubbles) as BubbleType[]
const check = (type: BubbleType, changes: object) => () =>
  requireValid((issues) => checkContent({ ...bubbles[type], ...changes }, at, issues))
const attach = (type: BubbleType, parts: object) =>
  check(type, { attachment: { ...bubbles[type].attachment, ...parts } })

test('accepts the smallest complete bubble of every msgType', () => {
  for (const type of types) {
    check(type, {})()
    assert.ok(fits(FlowEntry, bubbles[type]), type)
    assert.equal(getMsgType(bubbles[type]), type)
  }
})

for (const [type, max] of [
  ['FT', 1_000],
  ['FI', 400],
  ['FW', 76],
  ['FP', 76],
] as const) {
  test(`friendtalk ${type} text: accepts ${max} characters, rejects ${max + 1} with A328`, () => {
    check(type, { text: letters(max) })()
    assert.throws(check(type, { text: letters(max + 1) }), refused('A328', `${at}text`))
  })
}

test('friendtalk text: required with FT, FI, FW, optional with FP, otherwise rejected (A303)', () => {
  for (const type of ['FT', 'FI', 'FW'] as const) {
    assert.throws(check(type, { text: '' }), refused('A303', `${at}text`))
    assert.throws(check(type, { text: undefined }), refused('A303', `${at}text`))
  }
  check('FP', { text: undefined })()
  for (const type of ['FL', 'FC', 'FM', 'FA'] as const) {
    assert.throws(check(type, { text: 'x' }), refused('A303', `${at}text`))
  }
})

for (const [type, max] of [
  ['FT', 99],
  ['FI', 29],
  ['FW', 1],
] as const) {
  test(`friendtalk ${type} text: accepts ${max} line breaks, rejects ${max + 1}`, () => {
    check(type, { text: `a${'\r\n'.repeat(max)}` })()
    assert.throws(check(type, { text: `a${'\r\n'.repeat(max + 1)}` }), refused('A303', `${at}text`))
  })
}

test('friendtalk header: 20 characters, required with FL, optional with FP, rejected with the others (A565)', () => {
  for (const type of ['FL', 'FP'] as const) {
    check(type, { header: letters(20) })()
    assert.throws(check(type, { header: letters(21) }), refused('A565', `${at}header`))
  }
  assert.throws(check('FL', { header: '' }), refused('A565', `${at}header`))
  check('FP', { header: undefined })()
  for (const type of ['FT', 'FI', 'FW', 'FC', 'FM', 'FA'] as const) {
    assert.throws(check(type, { header: 'x' }), refused('A565', `${at}header`))
  }
})

for (const { type, min, max, withCoupon, name } of [
  { type: 'FT', min: 0, max: 5, withCoupon: 4, name: 14 },
  { type: 'FI', min: 0, max: 5, withCoupon: 4, name: 14 },
  { type: 'FW', min: 0, max: 2, withCoupon: 2, name: 8 },
  { type: 'FL', min: 0, max: 2, withCoupon: 2, name: 8 },
  { type: 'FM', min: 1, max: 2, withCoupon: 2, name: 8 },
  { type: 'FP', min: 0, max: 1, withCoupon: 1, name: 8 },
] as const) {
  test(`friendtalk ${type} buttons: ${min} to ${max}, ${withCoupon} with a coupon, names of ${name}`, () => {
    const path = `${at}attachment.button`
    attach(type, { button: buttons(min) })()
    attach(type, { button: buttons(max) })()
    if (min > 0) assert.throws(attach(type, { button: buttons(min - 1) }), refused('A503', path))
    assert.throws(attach(type, { button: buttons(max + 1) }), refused('A503', path))
    attach(type, { button: buttons(withCoupon), coupon })()
    assert.throws(attach(type, { button: buttons(withCoupon + 1), coupon }), refused('A503', path))
    attach(type, { button: buttons(1, letters(name)) })()
    const long = buttons(1, letters(name + 1))
    assert.throws(attach(type, { button: long }), refused('A525', `${path}[0].name`))
  })
}

for (const [type, max] of [
  ['FT', 12],
  ['FI', 12],
  ['FM', 12],
  ['FW', 18],
  ['FL', 18],
  ['FP', 18],
] as const) {
  test(`friendtalk ${type} coupon: accepts ${max} characters of description at most`, () => {
    attach(type, { coupon: { ...coupon, description: letters(max) } })()
    const path = `${at}attachment.coupon.description`
    const long = { ...coupon, description: letters(max + 1) }
    assert.throws(attach(type, { coupon: long }), refused('A573', path))
  })
}

test('friendtalk FC and FA: buttons and coupons belong to the cards', () => {
  for (const type of ['FC', 'FA'] as const) {
    assert.throws(attach(type, { button: buttons(1) }), refused('A503', `${at}attachment.button`))
    assert.throws(attach(type, { coupon }), refused('A573', `${at}attachment.coupon`))
  }
})

const parts = {
  image: { allowedTypes: ['FI', 'FW', 'FM'], codes: ['A513', 'A513'], path: 'attachment.image' },
  item: { allowedTypes: ['FL'], codes: ['A521', 'A521'], path: 'attachment.item' },
  commerce: { allowedTypes: ['FM'], codes: ['A573', 'A573'], path: 'attachment.commerce' },
  video: { allowedTypes: ['FP'], codes: ['A573', 'A573'], path: 'attachment.video' },
  carousel: { allowedTypes: ['FC', 'FA'], codes: ['A567', 'A568'], path: 'carousel' },
} as const

for (const [part, { allowedTypes, codes, path }] of Object.entries(parts)) {
  test(`friendtalk ${part}: required with ${allowedTypes.join(' and ')}, rejected with the others`, () => {
    const donor = bubbles[allowedTypes[0]]
    const donorParts = { ...donor.attachment, carousel: donor.carousel }[part as keyof typeof parts]
    for (const type of types) {
      const change = (value: unknown) =>
        part === 'carousel' ? check(type, { carousel: value }) : attach(type, { [part]: value })
      if (allowedTypes.includes(type as never)) {
        assert.throws(change(undefined), refused(codes[0], `${at}${path}`))
      } else {
        assert.throws(change(donorParts), refused(codes[1], `${at}${path}`))
      }
    }
  })
}

test('friendtalk parts: an error inside a part is named by its path', () => {
  assert.throws(attach('FI', { image: { imgUrl: '' } }), refused('A513', `${at}attachment.image.imgUrl`))
  assert.throws(attach('FL', { item: { list: [] } }), refused('A521', `${at}attachment.item.list`))
  const untitled = { title: '', regularPrice: 0 }
  assert.throws(attach('FM', { commerce: untitled }), refused('A573', `${at}attachment.commerce.title`))
  assert.throws(attach('FP', { video: { videoUrl: 'x' } }), refused('A573', `${at}attachment.video.videoUrl`))
  assert.throws(check('FC', { carousel: { list: [] } }), refused('A567', `${at}carousel.list`))
})

test('friendtalk additionalContent: 34 characters with FM, rejected with the others', () => {
  check('FM', { additionalContent: letters(34) })()
  assert.throws(check('FM', { additionalContent: letters(35) }), refused('A300', `${at}additionalContent`))
  for (const type of types.filter((other) => other !== 'FM')) {
    assert.throws(check(type, { additionalContent: 'x' }), refused('A300', `${at}additionalContent`))
  }
})

test('friendtalk adFlag: N is rejected with FL, FC and FA (A506), accepted with the others', () => {
  for (const type of types) {
    check(type, { adFlag: 'Y' })()
    if (!['FL', 'FC', 'FA'].includes(type)) check(type, { adFlag: 'N' })()
    else assert.throws(check(type, { adFlag: 'N' }), refused('A506', `${at}adFlag`))
  }
})

test('friendtalk senderKey and groupTagKey: 40 characters', () => {
  check('FT', { senderKey: 'k'.repeat(40), groupTagKey: 'k'.repeat(40) })()
  assert.throws(check('FT', { senderKey: 'k'.repeat(41) }), refused('A502', `${at}senderKey`))
  assert.throws(check('FT', { groupTagKey: 'k'.repeat(41) }), refused('A300', `${at}groupTagKey`))
})

const simple = { senderKey: 'profile', msgType: 'FI' as const, text: 'hello', imgUrl: 'https://img/1' }

test('friendtalk simple send: FT, FI and FW only, with a top-level button and image', () => {
  const body = { ...simple, to: '01012345678', button: buttons(1) }
  for (const msgType of ['FT', 'FI', 'FW']) assert.ok(fits(SimpleBody, { ...body, msgType }))
  for (const wrong of [{ msgType: 'FL' }, { attachment: {} }, { carousel: {} }, { text: undefined }]) {
    assert.ok(!fits(SimpleBody, { ...body, ...wrong }), JSON.stringify(wrong))
  }
  for (const wrong of [{ button: buttons(1) }, { imgUrl: 'x' }, { adFlag: 'X' }, { to: '01012345678' }]) {
    assert.ok(!fits(FlowEntry, { ...bubbles.FT, ...wrong }), JSON.stringify(wrong))
  }
  assert.deepEqual(
    [fieldCodes.msgType, fieldCodes['attachment.image'], fieldCodes.carousel],
    ['A523', 'A513', 'A567'],
  )
})

test('friendtalk simple send: has the same limits, and its own paths in errors', () => {
  requireValid((issues) => checkContent({ ...simple, button: buttons(5) }, '', issues))
  const imageless = { senderKey: 'profile', msgType: 'FI' as const, text: 'hello' }
  assert.throws(
    () => requireValid((issues) => checkContent(imageless, '', issues)),
    refused('A513', 'imgUrl'),
  )
  assert.throws(
    () => requireValid((issues) => checkContent({ ...simple, imgUrl: '' }, '', issues)),
    refused('A513', 'imgUrl'),
  )
  assert.throws(
    () => requireValid((issues) => checkContent({ ...simple, msgType: 'FT' }, '', issues)),
    refused('A513', 'imgUrl'),
  )
  assert.throws(
    () => requireValid((issues) => checkContent({ ...simple, button: buttons(6) }, '', issues)),
    refused('A503', 'button'),
  )
})

test('friendtalk submission: both shapes give the same result, with defaults', () => {
  const expected = {
    messageType: 'FI',
    senderKey: 'profile',
    message: 'hello',
    attachment: { button: buttons(1), image: { imgUrl: 'https://img/1' } },
    adFlag: 'Y',
    adult: 'N',
    pushAlarm: 'Y',
  }
  assert.deepEqual(toSubmission({ ...simple, button: buttons(1) }), expected)
  const { imgUrl, ...rest } = simple
  assert.deepEqual(toSubmission({ ...rest, attachment: { button: buttons(1), image: { imgUrl } } }), expected)
  const body = { ...simple, button: buttons(1), to: '01012345678', ref: 'r' }
  assert.deepEqual(toSubmission(body), expected, 'the envelope of a simple send stays outside')
})

test('friendtalk submission: normalized texts, unchanged URLs, prices without zeros', () => {
  const decomposed = '각'.normalize('NFD')
  const image = { imgUrl: `https://img/${decomposed}` }
  const commerce = {
    title: decomposed,
    regularPrice: 10,
    discountPrice: 0,
    discountRate: 0,
    discountFixed: 0,
  }
  const { attachment } = toSubmission({
    ...bubbles.FM,
    attachment: { button: buttons(1, decomposed), image, commerce },
  })
  assert.deepEqual(attachment, {
    button: buttons(1, '각'),
    image,
    commerce: { title: '각', regularPrice: 10 },
  })
  const card = { attachment: { image, commerce } }
  const { carousel } = toSubmission({ ...bubbles.FA, carousel: { list: [card] } })
  assert.deepEqual(carousel, {
    list: [{ attachment: { image, commerce: { title: '각', regularPrice: 10 } } }],
  })
})

test('friendtalk files: every image of either shape, by its path', () => {
  assert.deepEqual(getFileReferences(simple), [
    { key: 'https://img/1', path: 'imgUrl', use: 'FRIENDTALK', kinds: ['FI'] },
  ])
  const paths = types.map((type) => getFileReferences(bubbles[type]).map(({ path }) => path))
  assert.deepEqual(Object.fromEntries(types.map((type, index) => [type, paths[index]])), {
    FT: [],
    FI: ['attachment.image.imgUrl'],
    FW: ['attachment.image.imgUrl'],
    FL: [0, 1, 2].map((index) => `attachment.item.list[${index}].imgUrl`),
    FC: [0, 1].map((index) => `carousel.list[${index}].attachment.image.imgUrl`),
    FM: ['attachment.image.imgUrl'],
    FA: [
      'carousel.head.imageUrl',
      ...[0, 1].map((index) => `carousel.list[${index}].attachment.image.imgUrl`),
    ],
    FP: [],
  })
})
