/**
 * Values for the variables of a registered brand message template. The template defines their
 * inner shape, so only the outer shape is checked. Images and carousels are one object or a list, depending on the client.
 */
import { Type, type Static, type TObject } from 'typebox'
import { Image, type ImageReference } from '../kakao/image.ts'

const Values = (part: string) =>
  Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: `Variables of the ${part}; basic only` }),
  )

const CarouselValues = Type.Record(Type.String(), Type.Unknown(), { description: 'Variables of one card' })

export const variableFields = {
  messageVariable: Values('text'),
  buttonVariable: Values('buttons'),
  couponVariable: Values('coupon'),
  imageVariable: Type.Optional(
    Type.Union([Image, Type.Array(Image)], { description: 'Images of the template; basic only' }),
  ),
  videoVariable: Values('video'),
  commerceVariable: Values('product'),
  carouselVariable: Type.Optional(
    Type.Union([CarouselValues, Type.Array(CarouselValues)], {
      description: 'Variables of the cards; basic only',
    }),
  ),
}

export const variableNames = [
  'messageVariable',
  'buttonVariable',
  'couponVariable',
  'imageVariable',
  'videoVariable',
  'commerceVariable',
  'carouselVariable',
] as const satisfies readonly (keyof typeof variableFields)[]

export type VariableFields = Static<TObject<typeof variableFields>>

type Values = Readonly<Record<string, unknown>>

export interface TemplateVariables {
  readonly message?: Values
  readonly button?: Values
  readonly coupon?: Values
  readonly image?: readonly Image[]
  readonly video?: Values
  readonly commerce?: Values
  readonly carousel?: readonly Values[]
}

export function variableImages(content: VariableFields): ImageReference[] {
  const { imageVariable } = content
  if (imageVariable === undefined) return []
  return Array.isArray(imageVariable)
    ? imageVariable.map(({ imgUrl }, index) => ({ key: imgUrl, path: `imageVariable[${index}].imgUrl` }))
    : [{ key: imageVariable.imgUrl, path: 'imageVariable.imgUrl' }]
}

/** Undefined when the content has none. */
export function variablesOf(content: VariableFields): TemplateVariables | undefined {
  if (variableNames.every((name) => content[name] === undefined)) return undefined
  const { imageVariable: image, carouselVariable: carousel } = content
  return {
    ...(content.messageVariable === undefined ? {} : { message: content.messageVariable }),
    ...(content.buttonVariable === undefined ? {} : { button: content.buttonVariable }),
    ...(content.couponVariable === undefined ? {} : { coupon: content.couponVariable }),
    ...(image === undefined ? {} : { image: Array.isArray(image) ? image : [image] }),
    ...(content.videoVariable === undefined ? {} : { video: content.videoVariable }),
    ...(content.commerceVariable === undefined ? {} : { commerce: content.commerceVariable }),
    ...(carousel === undefined ? {} : { carousel: Array.isArray(carousel) ? carousel : [carousel] }),
  }
}
