/**
 * A product and its price: the regular price, optionally with a discounted price and either the rate or the
 * amount of the discount. One SDK cannot omit the discount fields and sends zero: if all of them are zero or
 * absent, there is no discount, and if both rate and amount are present, a zero counts as absent.
 */
import { Type, type Static } from 'typebox'
import { invalidField } from '../../contract/problem.ts'
import type { Issues } from '../issues.ts'
import { requireText } from './check.ts'
import { commerceLimits } from './limits.ts'

const amountField = (max: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: max, description: `${description}, 0 to ${max}` })

export const Commerce = Type.Object(
  {
    title: Type.String({ minLength: 1, description: `Product, at most ${commerceLimits.title} characters` }),
    regularPrice: amountField(commerceLimits.price, 'Regular price'),
    discountPrice: Type.Optional(amountField(commerceLimits.price, 'Discounted price')),
    discountRate: Type.Optional(amountField(commerceLimits.rate, 'Percent taken off')),
    discountFixed: Type.Optional(amountField(commerceLimits.fixed, 'Amount taken off')),
  },
  { additionalProperties: false, description: 'Product and price' },
)

export type Commerce = Static<typeof Commerce>

export function checkCommerce(commerce: Commerce, path: string, issues: Issues): void {
  requireText(commerce.title, commerceLimits.title, 'A573', `${path}.title`, issues)
  checkRange(commerce.regularPrice, commerceLimits.price, `${path}.regularPrice`, issues)
  checkRange(commerce.discountPrice, commerceLimits.price, `${path}.discountPrice`, issues)
  checkRange(commerce.discountRate, commerceLimits.rate, `${path}.discountRate`, issues)
  checkRange(commerce.discountFixed, commerceLimits.fixed, `${path}.discountFixed`, issues)
  const { discountPrice, discountRate, discountFixed } = withoutZeroDiscounts(commerce)
  const discounts = [discountRate, discountFixed].filter((amount) => amount !== undefined).length
  if (discountPrice !== undefined && discounts !== 1) {
    const reason = `discountPrice needs exactly one of discountRate and discountFixed, found ${discounts}`
    issues.add(invalidField('A573', path, reason))
  }
  if (discountPrice === undefined && discounts > 0) {
    issues.add(
      invalidField('A573', `${path}.discountPrice`, 'is required with discountRate or discountFixed'),
    )
  }
}

function checkRange(amount: number | undefined, max: number, path: string, issues: Issues): void {
  if (amount === undefined || (Number.isInteger(amount) && amount >= 0 && amount <= max)) return
  issues.add(invalidField('A573', path, `must be an integer from 0 to ${max}, found ${amount}`))
}

/** Removes the zeros that mean absent. */
export function withoutZeroDiscounts(commerce: Commerce): Commerce {
  const { title, regularPrice, discountPrice, discountRate, discountFixed } = commerce
  if (!discountPrice && !discountRate && !discountFixed) return { title, regularPrice }
  const hasBoth = discountRate !== undefined && discountFixed !== undefined
  return {
    title,
    regularPrice,
    ...(discountPrice === undefined ? {} : { discountPrice }),
    ...(discountRate === undefined || (hasBoth && discountRate === 0) ? {} : { discountRate }),
    ...(discountFixed === undefined || (hasBoth && discountFixed === 0) ? {} : { discountFixed }),
  }
}
