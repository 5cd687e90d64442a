/**
 * Carousels: an optional opening card (head), the cards, an optional link to more (tail). FC shows text on its
 * cards, FA a product; what one requires the other rejects.
 */
import { Type, type Static } from 'typebox'
import { linkFields } from './actions.ts'
import { buttonsField } from './buttons.ts'
import { Commerce } from './commerce.ts'
import { Coupon } from './coupon.ts'
import { KakaoImage, type ImageReference } from './image.ts'
import { carouselLimits } from './limits.ts'

const { cards, head, header, message, buttons } = carouselLimits

const Head = Type.Object(
  {
    header: Type.String({ minLength: 1, description: `Heading, at most ${head.header} characters` }),
    content: Type.String({ minLength: 1, description: `Text, at most ${head.content} characters` }),
    imageUrl: Type.String({ minLength: 1, description: 'Address of an uploaded image' }),
    ...linkFields,
  },
  { additionalProperties: false, description: 'Opening card, not with FC' },
)

const KakaoCard = Type.Object(
  {
    header: Type.Optional(
      Type.String({
        description: `Heading, at most ${header} characters; required with FC, not allowed with FA`,
      }),
    ),
    message: Type.Optional(
      Type.String({
        description: `Text, at most ${message} characters; required with FC, not allowed with FA`,
      }),
    ),
    additionalContent: Type.Optional(
      Type.String({ description: 'Small print, at most 34 characters; not with FC' }),
    ),
    attachment: Type.Object(
      {
        image: KakaoImage,
        button: buttonsField(`Buttons, ${buttons.min} to ${buttons.max}`),
        coupon: Type.Optional(Coupon),
        commerce: Type.Optional(Commerce),
      },
      { additionalProperties: false, description: 'Image, buttons, coupon; with FA also the product' },
    ),
  },
  { additionalProperties: false, description: 'Card' },
)

const Tail = Type.Object(
  { ...linkFields, urlMobile: Type.String({ minLength: 1, description: 'Address opened on a phone' }) },
  { additionalProperties: false, description: 'Link to more' },
)

export const Carousel = Type.Object(
  {
    head: Type.Optional(Head),
    list: Type.Array(KakaoCard, { description: `Cards, ${cards.min} to ${cards.max}` }),
    tail: Type.Optional(Tail),
  },
  { additionalProperties: false, description: 'Carousel, needed with FC and FA' },
)

export type Carousel = Static<typeof Carousel>
export type CarouselHead = Static<typeof Head>
export type Card = Static<typeof KakaoCard>

export function carouselImages(carousel: Carousel | undefined, path: string): ImageReference[] {
  if (carousel === undefined) return []
  const opening =
    carousel.head === undefined ? [] : [{ key: carousel.head.imageUrl, path: `${path}.head.imageUrl` }]
  const onCards = carousel.list.map(({ attachment }, index) => ({
    key: attachment.image.imgUrl,
    path: `${path}.list[${index}].attachment.image.imgUrl`,
  }))
  return [...opening, ...onCards]
}
