/**
 * The bubble that friendtalk and brandmessage share: its fields, and accessors for its two shapes. A simple
 * send has `button` and `imgUrl` next to the text, a flow entry has them in `attachment`.
 */
import { Type, type Static, type TObject } from 'typebox'
import { ttlField } from '../ttl.ts'
import { KakaoButton, buttonsField } from './buttons.ts'
import { Carousel, carouselImages } from './carousel.ts'
import { Commerce } from './commerce.ts'
import { Coupon } from './coupon.ts'
import { KakaoImage, type ImageReference } from './image.ts'
import { bubbleTypes, profileLimits } from './limits.ts'
import { Video } from './video.ts'
import { wideItemImages, WideItems } from './wide-items.ts'

export const Attachment = Type.Object(
  {
    button: buttonsField(
      'Buttons: at most 5 with FT and FI (4 beside a coupon), 2 with FW, FL and FM, 1 with FP',
    ),
    image: Type.Optional(KakaoImage),
    item: Type.Optional(WideItems),
    coupon: Type.Optional(Coupon),
    commerce: Type.Optional(Commerce),
    video: Type.Optional(Video),
  },
  { additionalProperties: false, description: 'Parts beside the text; msgType determines which are allowed' },
)

export const senderKeyField = Type.String({
  minLength: 1,
  description: `Sender profile key, at most ${profileLimits.senderKey} characters`,
})

const bubbleTypeField = Type.Enum([...bubbleTypes], {
  description:
    'FT text, FI image, FW wide image, FL wide item list, FC carousel feed, FM commerce, FA carousel commerce, FP video',
})

export const bubbleTextField = Type.String({
  minLength: 1,
  description:
    'Content: at most 1000 characters with FT, 400 with FI, 76 with FW and FP; none with the others',
})

export const imgUrlField = Type.Optional(
  Type.String({ description: 'Address of an uploaded image, needed with FI and FW' }),
)

const yesNoField = (description: string) => Type.Optional(Type.Enum(['Y', 'N'], { description }))

const groupTagKeyField = Type.Optional(
  Type.String({ description: `Key of a group tag, at most ${profileLimits.groupTagKey} characters` }),
)

export const bubbleFields = {
  ttl: ttlField,
  senderKey: senderKeyField,
  msgType: bubbleTypeField,
  text: Type.Optional(bubbleTextField),
  header: Type.Optional(
    Type.String({ description: 'Heading, at most 20 characters; needed with FL, optional with FP' }),
  ),
  attachment: Type.Optional(Attachment),
  carousel: Type.Optional(Carousel),
  additionalContent: Type.Optional(
    Type.String({ description: 'Small print, at most 34 characters; FM only' }),
  ),
  adFlag: yesNoField('Whether it is marked as an advertisement, Y by default; always Y with FL, FC and FA'),
  adult: yesNoField('Whether it is for adults, N by default'),
  pushAlarm: yesNoField('Whether the phone notifies its user, Y by default'),
  groupTagKey: groupTagKeyField,
}

/** Fields of both shapes; a content never has those of both. */
export type BubbleContent = Static<TObject<typeof bubbleFields>> & { button?: KakaoButton[]; imgUrl?: string }

export function getButtons(content: BubbleContent): KakaoButton[] | undefined {
  return content.attachment?.button ?? content.button
}

export function getImage(content: BubbleContent): KakaoImage | undefined {
  return content.attachment?.image ?? (content.imgUrl === undefined ? undefined : { imgUrl: content.imgUrl })
}

export function bubbleImages(content: BubbleContent): ImageReference[] {
  const { imgUrl, attachment, carousel } = content
  return [
    ...(imgUrl === undefined ? [] : [{ key: imgUrl, path: 'imgUrl' }]),
    ...(attachment?.image === undefined
      ? []
      : [{ key: attachment.image.imgUrl, path: 'attachment.image.imgUrl' }]),
    ...(attachment?.video?.thumbnailUrl
      ? [{ key: attachment.video.thumbnailUrl, path: 'attachment.video.thumbnailUrl' }]
      : []),
    ...wideItemImages(attachment?.item, 'attachment.item'),
    ...carouselImages(carousel, 'carousel'),
  ]
}
