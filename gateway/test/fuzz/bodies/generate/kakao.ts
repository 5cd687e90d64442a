/** Generates valid Kakao messages: alimtalk, and the eight bubbles as friendtalk and brandmessage. */
import fc from 'fast-check'
import {
  linkAddress,
  buttons,
  carouselCommerce,
  carouselFeed,
  commerce,
  coupon,
  image,
  wideItems,
} from './kakao-parts.ts'
import { kakaoFallback } from './plain.ts'
import { fields, imgUrl, many, originCID, recipient, ref, words, yesNo } from './values.ts'

const senderKey = words(40)
const templateCode = words(50)
const send = { to: recipient, fallback: kakaoFallback, ref }

const notice = {
  senderKey,
  msgType: fc.constantFrom('AT', 'AI'),
  templateCode,
  text: words(700),
  title: words(50),
  header: words(16),
  link: fc.record({ urlMobile: linkAddress, urlPc: linkAddress }),
}
const noticeKeys = ['senderKey', 'msgType', 'templateCode', 'text'] as const

export const alimtalk = fields({ ...notice, ...send, button: buttons(0, 5, 14) }, [...noticeKeys, 'to'])

const item = fields({ title: words(6), description: words(23) }, ['title'])
const amount = fc.constantFrom('₩1,000', '12,345원', 'USD 10.50', '1000')
export const alimtalkEntry = fields(
  {
    ...notice,
    attachment: fields(
      {
        button: buttons(0, 5, 14),
        item: fields(
          { list: many(item, 2, 10), summary: fc.record({ title: words(6), description: amount }) },
          ['list'],
        ),
        itemHighlight: fields({ title: words(21), description: words(13) }, []),
      },
      [],
    ),
    supplement: fc.record({ quickReply: buttons(0, 5, 14, ['WL', 'AL', 'BK', 'BC', 'BT', 'BF']) }),
    price: fc.constantFrom('0', '1000', '12.34'),
    currencyType: fc.constantFrom('KRW', 'USD', 'EUR'),
  },
  noticeKeys,
)

/** Without line breaks, because the wide bubble shows only two lines. */
const flat = (max: number) => words(max).map((text) => text.replaceAll(/[\r\n]/g, ' '))

const bubble = (
  msgType: string,
  ownFields: Record<string, fc.Arbitrary<unknown>>,
  attachment: Record<string, fc.Arbitrary<unknown>>,
  needed: readonly string[],
): fc.Arbitrary<Record<string, unknown>> => {
  const attached = Object.keys(attachment).length > 0
  const model = {
    senderKey,
    msgType: fc.constant(msgType),
    ...ownFields,
    ...(attached ? { attachment: fields(attachment, needed) } : {}),
    adult: yesNo,
    pushAlarm: yesNo,
    groupTagKey: words(40),
  }
  const always = ['senderKey', 'msgType', ...Object.keys(ownFields)]
  return fields(model, needed.length > 0 ? [...always, 'attachment'] : always)
}

const video = fc.record({ videoUrl: fc.constant('https://tv.kakao.com/v/1'), thumbnailUrl: imgUrl })

export const bubbles: readonly fc.Arbitrary<Record<string, unknown>>[] = [
  bubble('FT', { text: flat(1_000) }, { button: buttons(0, 4, 14), coupon: coupon(12) }, []),
  bubble('FI', { text: flat(400) }, { image, button: buttons(0, 4, 14), coupon: coupon(12) }, ['image']),
  bubble('FW', { text: flat(76) }, { image, button: buttons(0, 2, 8), coupon: coupon(18) }, ['image']),
  bubble('FL', { header: words(20) }, { item: wideItems, button: buttons(0, 2, 8) }, ['item']),
  bubble('FC', { carousel: carouselFeed }, {}, []),
  bubble('FM', { additionalContent: words(34) }, { image, commerce, button: buttons(1, 2, 8) }, [
    'image',
    'commerce',
    'button',
  ]),
  bubble('FA', { carousel: carouselCommerce }, {}, []),
  bubble('FP', { header: words(20), text: flat(76) }, { video, button: buttons(0, 1, 8) }, ['video']),
]

const plainFriend = (
  msgType: string,
  maxText: number,
  needsImage: boolean,
  maxButtons: number,
  maxButtonName: number,
) =>
  fields(
    {
      ...send,
      senderKey,
      msgType: fc.constant(msgType),
      text: flat(maxText),
      ...(needsImage ? { imgUrl } : {}),
      button: buttons(0, maxButtons, maxButtonName),
    },
    ['senderKey', 'msgType', 'text', 'to', ...(needsImage ? ['imgUrl'] : [])],
  )

const plainFriends = [
  plainFriend('FT', 1_000, false, 5, 14),
  plainFriend('FI', 400, true, 5, 14),
  plainFriend('FW', 76, true, 2, 8),
]

export const friendtalk = fc.oneof(...plainFriends)
export const friendtalkEntry = fc.oneof(...bubbles)

const variables = fc.dictionary(words(10), fc.oneof(words(10), fc.nat(), fc.constant({ deep: ['x'] })))
const registered = fields(
  {
    sendType: fc.constant('basic'),
    targeting: fc.constantFrom('M', 'N', 'I'),
    templateCode,
    messageVariable: variables,
    buttonVariable: variables,
    imageVariable: fc.oneof(fc.record({ imgUrl }), many(fc.record({ imgUrl }), 1, 3)),
    carouselVariable: fc.oneof(variables, many(variables, 0, 2)),
    senderKey,
    msgType: fc.constantFrom('FT', 'FI', 'FW', 'FL', 'FC', 'FM', 'FA', 'FP'),
    originCID,
    unsubscribePhoneNumber: fc.constantFrom('0801234567', '080-123-4567'),
    unsubscribeAuthNumber: words(10),
  },
  ['sendType', 'targeting', 'templateCode', 'senderKey', 'msgType'],
)
const written = (message: fc.Arbitrary<Record<string, unknown>>) =>
  message.map((fieldsOfIt) => ({ ...fieldsOfIt, sendType: 'free' }))

export const brandmessage = fc.oneof(
  written(fc.oneof(...plainFriends)),
  fc.tuple(registered, fields(send, ['to'])).map(([message, rest]) => ({ ...message, ...rest })),
)
export const brandmessageEntry = fc.oneof(written(friendtalkEntry), registered)
