/** The item list of an alimtalk, its summary line, and the highlight above it. */
import { Type, type Static } from 'typebox'
import { invalidField } from '../../contract/problem.ts'
import { limitCount, limitText, requireText } from '../kakao/check.ts'
import type { Issues } from '../issues.ts'
import { normalizeText } from '../text/normalize.ts'
import { alimtalkLimits } from './limits.ts'

const { items, item, summary } = alimtalkLimits

export const Items = Type.Object(
  {
    list: Type.Array(
      Type.Object(
        {
          title: Type.String({ minLength: 1, description: `At most ${item.title} characters` }),
          description: Type.Optional(Type.String({ description: `At most ${item.description} characters` })),
        },
        { additionalProperties: false, description: 'Item' },
      ),
      { description: `Items, ${items.min} to ${items.max}` },
    ),
    summary: Type.Optional(
      Type.Object(
        {
          title: Type.String({ minLength: 1, description: `At most ${summary.title} characters` }),
          description: Type.String({
            minLength: 1,
            description: `Amount, at most ${summary.description} characters: currency sign or code, digits , . and spaces`,
          }),
        },
        { additionalProperties: false, description: 'Summary line' },
      ),
    ),
  },
  { additionalProperties: false, description: 'Item list' },
)

export const Highlight = Type.Object(
  {
    title: Type.Optional(Type.String({ description: 'At most 30 characters, 21 with AI' })),
    description: Type.Optional(Type.String({ description: 'At most 19 characters, 13 with AI' })),
  },
  { additionalProperties: false, description: 'Highlight above the item list' },
)

export type Items = Static<typeof Items>
export type Highlight = Static<typeof Highlight>

export function checkItems({ list, summary: line }: Items, path: string, issues: Issues): void {
  limitCount(list.length, items, 'A521', `${path}.list`, issues)
  for (const [index, { title, description }] of list.entries()) {
    if (issues.isSettled()) return
    requireText(title, item.title, 'A521', `${path}.list[${index}].title`, issues)
    limitText(description, item.description, 'A521', `${path}.list[${index}].description`, issues)
  }
  if (line === undefined) return
  requireText(line.title, summary.title, 'A561', `${path}.summary.title`, issues)
  requireText(line.description, summary.description, 'A561', `${path}.summary.description`, issues)
  if (line.description !== '' && !isAmount(normalizeText(line.description))) {
    const reason =
      'must be an amount: digits, commas and at most 2 decimals, with or without a currency sign or a code of 3 capital letters before or after them'
    issues.add(invalidField('A561', `${path}.summary.description`, reason))
  }
}

/** The sign or code can be on either side of the number; 元, 円 and 원 also count as currency signs. */
const unit = '(?:[\\p{Sc}元円원]|[A-Z]{3})'
// Spaces after the digits match in one way only: two adjacent repetitions of a space would take quadratic time.
const amount = new RegExp(`^${unit}? *\\d[\\d, ]*(?:\\.\\d{1,2} *)?${unit}?$`, 'u')

export function isAmount(text: string): boolean {
  return amount.test(text)
}

export function checkHighlight(
  highlight: Highlight,
  msgType: 'AT' | 'AI',
  path: string,
  issues: Issues,
): void {
  const limits = alimtalkLimits.highlight[msgType]
  limitText(highlight.title, limits.title, 'A560', `${path}.title`, issues)
  limitText(highlight.description, limits.description, 'A560', `${path}.description`, issues)
}
