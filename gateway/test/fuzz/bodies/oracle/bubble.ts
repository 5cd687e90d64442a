/** Checks the limits of a friendtalk or brandmessage bubble by its msgType. */
import { toFields, toArray, type Violations, type Fields } from './fields.ts'
import { checkButtons, checkCarousel, checkCommerce, checkCoupon } from './kakao-parts.ts'

interface BubbleRow {
  /** Maximum length; 0 means that none is allowed. */
  readonly text: number
  readonly header: number
  readonly coupon: number
  /** Required entries of `parts`; the others are forbidden. */
  readonly needs: readonly string[]
}

export const bubbleRows: Readonly<Record<string, BubbleRow>> = {
  FT: { text: 1_000, header: 0, coupon: 12, needs: [] },
  FI: { text: 400, header: 0, coupon: 12, needs: ['image'] },
  FW: { text: 76, header: 0, coupon: 18, needs: ['image'] },
  FL: { text: 0, header: 20, coupon: 18, needs: ['item'] },
  FC: { text: 0, header: 0, coupon: 0, needs: ['carousel'] },
  FM: { text: 0, header: 0, coupon: 12, needs: ['image', 'commerce'] },
  FA: { text: 0, header: 0, coupon: 0, needs: ['carousel'] },
  FP: { text: 76, header: 20, coupon: 18, needs: ['video'] },
}

const parts = ['image', 'item', 'commerce', 'video', 'carousel']
const yesOrNo = ['adFlag', 'adult', 'pushAlarm']

/** `complete` means that no template supplies missing fields. */
export function checkBubble(content: Fields, found: Violations, at: string, complete: boolean): void {
  found.needs(content['senderKey'], 40, `${at}senderKey`)
  found.oneOf(content['msgType'], Object.keys(bubbleRows), `${at}msgType`)
  const row = bubbleRows[String(content['msgType'])]
  if (row === undefined) return
  const { text, header } = content
  if (complete && ['FT', 'FI', 'FW'].includes(String(content['msgType']))) {
    found.needs(text, row.text, `${at}text`)
  }
  if (complete && content['msgType'] === 'FL') found.needs(header, row.header, `${at}header`)
  found.within(text, row.text, `${at}text`)
  found.within(header, row.header, `${at}header`)
  found.within(content['additionalContent'], 34, `${at}additionalContent`)
  found.within(content['groupTagKey'], 40, `${at}groupTagKey`)
  for (const name of yesOrNo) {
    if (content[name] !== undefined) found.oneOf(content[name], ['Y', 'N'], `${at}${name}`)
  }
  const advertisement = ['FL', 'FC', 'FA'].includes(String(content['msgType']))
  found.expect(!advertisement || content['adFlag'] !== 'N', `${at}adFlag N`)
  checkParts(content, row, found, at, complete)
}

function checkParts(content: Fields, row: BubbleRow, found: Violations, at: string, complete: boolean): void {
  const attachment = toFields(content['attachment'])
  const { imgUrl, carousel } = content
  const image = attachment['image'] ?? (imgUrl === undefined ? undefined : { imgUrl })
  const given: Fields = { ...attachment, image, carousel }
  for (const part of parts) {
    const needed = row.needs.includes(part)
    const isPresent = given[part] !== undefined
    found.expect(
      needed ? isPresent || !complete : !isPresent,
      `${at}${part} ${isPresent ? 'refused' : 'missing'}`,
    )
  }
  if (image !== undefined) found.needs(toFields(image)['imgUrl'], Infinity, `${at}image.imgUrl`)
  const { item, commerce, video, coupon, button } = attachment
  if (item !== undefined) checkWideItems(toFields(item), found, `${at}item.`)
  if (commerce !== undefined) checkCommerce(commerce, found, `${at}commerce`)
  if (video !== undefined) {
    found.needs(toFields(video)['videoUrl'], 500, `${at}video.videoUrl`)
    found.within(toFields(video)['thumbnailUrl'], 500, `${at}video.thumbnailUrl`)
  }
  if (coupon !== undefined) checkCoupon(coupon, row.coupon, found, `${at}coupon`)
  if (carousel !== undefined) checkCarousel(toFields(carousel), content['msgType'], found, `${at}carousel.`)
  const plain = content['msgType'] === 'FT' || content['msgType'] === 'FI'
  const max = plain && coupon !== undefined ? 4 : 5
  checkButtons(button ?? content['button'], { min: 0, max, name: 14 }, found, `${at}button`)
}

function checkWideItems({ list }: Fields, found: Violations, at: string): void {
  found.count(list, 3, 4, `${at}list`)
  for (const item of toArray(list)) {
    for (const name of ['title', 'imgUrl', 'urlMobile']) {
      found.needs(toFields(item)[name], Infinity, `${at}${name}`)
    }
  }
}
