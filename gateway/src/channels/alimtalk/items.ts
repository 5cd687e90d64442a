/** The item list of an alimtalk, its summary line, and the highlight above it. */
import { Type, type Static } from 'typebox'
import { invalidField } from '../../contract/problem.ts'
import { limitCount, limitText, requireText } from '../kakao/check.ts'
import type { Refuse } from '../refuse.ts'
import { normaliseText } from '../text/normalise.ts'
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
      { description: `Items, ${items.fewest} to ${items.most}` },
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

export function checkItems({ list, summary: line }: Items, path: string, refuse: Refuse): void {
  limitCount(list.length, items, 'A521', `${path}.list`, refuse)
  for (const [index, { title, description }] of list.entries()) {
    requireText(title, item.title, 'A521', `${path}.list[${index}].title`, refuse)
    limitText(description, item.description, 'A521', `${path}.list[${index}].description`, refuse)
  }
  if (line === undefined) return
  requireText(line.title, summary.title, 'A561', `${path}.summary.title`, refuse)
  requireText(line.description, summary.description, 'A561', `${path}.summary.description`, refuse)
  if (line.description !== '' && !isAmount(normaliseText(line.description))) {
    const reason = `a currency sign or code, digits, comma, point and at most 2 decimals are wanted, found '${line.description}'`
    refuse(invalidField('A561', `${path}.summary.description`, reason))
  }
}

/** 元, 円 and 원 serve as currency signs too; the sign or code may stand on either side. */
const unit = '(?:[\\p{Sc}元円원]|[A-Z]{3})'
const amount = new RegExp(`^${unit}? *\\d[\\d, ]*(?:\\.\\d{1,2})? *${unit}?$`, 'u')

export function isAmount(text: string): boolean {
  return amount.test(text)
}

export function checkHighlight(
  highlight: Highlight,
  msgType: 'AT' | 'AI',
  path: string,
  refuse: Refuse,
): void {
  const limits = alimtalkLimits.highlight[msgType]
  limitText(highlight.title, limits.title, 'A560', `${path}.title`, refuse)
  limitText(highlight.description, limits.description, 'A560', `${path}.description`, refuse)
}
