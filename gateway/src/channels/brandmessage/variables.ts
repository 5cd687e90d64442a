/**
 * Values for the variables of a registered brand message template. The template defines their inner shape, so
 * only the outer shape is checked, except of images. Images and carousels are one object or an array, depending
 * on the client.
 */
import { Type, type Static, type TObject } from 'typebox'
import { KakaoImage, type ImageReference } from '../kakao/image.ts'

const variablesField = (part: string) =>
  Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: `Variables of the ${part}; basic only` }),
  )

const CarouselValues = Type.Record(Type.String(), Type.Unknown(), { description: 'Variables of one card' })

export const variableFields = {
  messageVariable: variablesField('text'),
  buttonVariable: variablesField('buttons'),
  couponVariable: variablesField('coupon'),
  imageVariable: Type.Optional(
    Type.Union([KakaoImage, Type.Array(KakaoImage)], { description: 'Images of the template; basic only' }),
  ),
  videoVariable: variablesField('video'),
  commerceVariable: variablesField('product'),
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
  readonly image?: readonly KakaoImage[]
  readonly video?: Values
  readonly commerce?: Values
  readonly carousel?: readonly Values[]
}

export function variableImages({ imageVariable, carouselVariable }: VariableFields): ImageReference[] {
  const cards = listWithPaths(carouselVariable, 'carouselVariable').flatMap(([card, path]) =>
    // Clients spell the card parts in camel case or snake case.
    ['imageVariable', 'image_variable'].flatMap((name) => imagesIn(card[name], `${path}.${name}`)),
  )
  return [...imagesIn(imageVariable, 'imageVariable'), ...cards]
}

function imagesIn(images: unknown, at: string): ImageReference[] {
  return listWithPaths(images, at).flatMap(([image, path]) =>
    ['imgUrl', 'img_url'].flatMap((name) => {
      const key = image[name]
      return typeof key === 'string' ? [{ key, path: `${path}.${name}` }] : []
    }),
  )
}

/**
 * Lists one object or an array of objects, each with its path; ignores values of any other shape, which only the
 * template defines.
 */
function listWithPaths(value: unknown, path: string): (readonly [Values, string])[] {
  const isObject = (item: unknown): item is Values => typeof item === 'object' && item !== null
  if (!Array.isArray(value)) return isObject(value) ? [[value, path]] : []
  return value.flatMap((item: unknown, index) =>
    isObject(item) ? [[item, `${path}[${index}]`] as const] : [],
  )
}

/** Returns undefined if the content has no variables. */
export function getTemplateVariables(content: VariableFields): TemplateVariables | undefined {
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
