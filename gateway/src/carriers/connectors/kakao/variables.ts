/**
 * Converts the variables of a brand message template to Kakao's spelling. Only names that Kakao defines are converted; the
 * names of variables belong to the template.
 */
import type { TemplateVariables } from '../../../channels/brandmessage/variables.ts'
import { snakeName, toSnakeCase, type KakaoJson } from './snake-case.ts'

/** Parts without variables inside: images and videos are replaced as a whole. */
const fixedParts = new Set(['image_variable', 'video_variable'])
const cardParts = new Set([
  'message_variable',
  'button_variable',
  'coupon_variable',
  'image_variable',
  'video_variable',
  'commerce_variable',
])

export function toVariables(variables: TemplateVariables | undefined): KakaoJson {
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

function toCard(card: KakaoJson): KakaoJson {
  return Object.fromEntries(
    Object.entries(card).map(([name, value]) => {
      const known = snakeName(name)
      if (!cardParts.has(known)) return [name, value]
      return [known, fixedParts.has(known) ? toSnakeCase(value) : value]
    }),
  )
}
