/**
 * The variables of a brand message template as Kakao spells them. The names of variables are those of the template and stay
 * as they are; only names that Kakao itself defines are spelled its way. Pure.
 */
import type { TemplateVariables } from '../../channels/brandmessage/variables.ts'
import { snakeName, toSnakeCase, type Json } from './snake-case.ts'

/** Inside an image or a video there are no variables: they are replaced as a whole. */
const fixedParts = new Set(['image_variable', 'video_variable'])
const cardParts = new Set([
  ...['message_variable', 'button_variable', 'coupon_variable', 'image_variable', 'video_variable'],
  'commerce_variable',
])

export function toVariables(variables: TemplateVariables | undefined): Json {
  if (variables === undefined) return {}
  const { message, button, coupon, image, video, commerce, carousel } = variables
  return {
    ...(message && { message_variable: message }),
    ...(button && { button_variable: button }),
    ...(coupon && { coupon_variable: coupon }),
    ...(image && { image_variable: toSnakeCase(image) }),
    ...(video && { video_variable: toSnakeCase(video) }),
    ...(commerce && { commerce_variable: commerce }),
    ...(carousel && { carousel_variable: carousel.map(toCard) }),
  }
}

function toCard(card: Json): Json {
  return Object.fromEntries(
    Object.entries(card).map(([name, value]) => {
      const known = snakeName(name)
      if (!cardParts.has(known)) return [name, value]
      return [known, fixedParts.has(known) ? toSnakeCase(value) : value]
    }),
  )
}
