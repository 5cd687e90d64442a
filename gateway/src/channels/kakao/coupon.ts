/** The coupon at the bottom of a bubble or card. Its title has five fixed forms; the provider accepts no other. */
import { Type, type Static } from 'typebox'
import { invalidField } from '../../contract/problem.ts'
import type { Issues } from '../issues.ts'
import { normalizeText } from '../text/normalize.ts'
import { linkFields } from './actions.ts'
import { requireText, requireValue } from './check.ts'

export const Coupon = Type.Object(
  {
    title: Type.String({
      minLength: 1,
      description:
        'One of: <number>원 할인 쿠폰, <number>% 할인 쿠폰, 배송비 할인 쿠폰, <up to 7 characters> 무료 쿠폰, ' +
        '<up to 7 characters> UP 쿠폰',
    }),
    description: Type.String({ minLength: 1, description: 'At most 12 characters; 18 with FW, FL and FP' }),
    ...linkFields,
  },
  { additionalProperties: false, description: 'Coupon' },
)

export type Coupon = Static<typeof Coupon>

/** The final word 쿠폰 is optional: the documents list the forms with and without it. */
const titleForms: readonly RegExp[] = [
  /^[1-9][\d,]*원 할인(?: 쿠폰)?$/,
  /^(?:[1-9]\d?|100)% 할인(?: 쿠폰)?$/,
  /^배송비 할인(?: 쿠폰)?$/,
  /^.{1,7} 무료(?: 쿠폰)?$/,
  /^.{1,7} UP(?: 쿠폰)?$/,
]

export function checkCoupon(coupon: Coupon, maxDescription: number, path: string, issues: Issues): void {
  requireValue(coupon.title, 'A573', `${path}.title`, issues)
  const title = normalizeText(coupon.title)
  if (title !== '' && !titleForms.some((form) => form.test(title))) {
    const forms = "'1000원 할인 쿠폰', '10% 할인 쿠폰', '배송비 할인 쿠폰', '(up to 7 characters) 무료 쿠폰'"
    const reason = `must be one of ${forms} and '(up to 7 characters) UP 쿠폰'`
    issues.add(invalidField('A573', `${path}.title`, reason))
  }
  requireText(coupon.description, maxDescription, 'A573', `${path}.description`, issues)
}
