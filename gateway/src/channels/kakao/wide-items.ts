/** The item list of a wide list bubble (FL); the first item is large and has a shorter title. */
import { Type, type Static } from 'typebox'
import type { Issues } from '../issues.ts'
import { linkFields } from './actions.ts'
import { limitCount, requireText, requireValue } from './check.ts'
import type { ImageReference } from './image.ts'
import { wideItemLimits } from './limits.ts'

const { min, max } = wideItemLimits.items

export const WideItems = Type.Object(
  {
    list: Type.Array(
      Type.Object(
        {
          ...linkFields,
          title: Type.String({
            minLength: 1,
            description: `Title, at most ${wideItemLimits.title} characters, the first ${wideItemLimits.firstTitle}`,
          }),
          imgUrl: Type.String({ minLength: 1, description: 'Address of an uploaded image' }),
          urlMobile: Type.String({ minLength: 1, description: 'Address opened on a phone' }),
        },
        { additionalProperties: false, description: 'Item' },
      ),
      { description: `Items, ${min} to ${max}` },
    ),
  },
  { additionalProperties: false, description: 'Wide item list' },
)

export type WideItems = Static<typeof WideItems>

export function checkWideItems(items: WideItems, path: string, issues: Issues): void {
  limitCount(items.list.length, wideItemLimits.items, 'A521', `${path}.list`, issues)
  for (const [index, item] of items.list.entries()) {
    if (issues.isSettled()) return
    const at = `${path}.list[${index}]`
    const maxTitle = index === 0 ? wideItemLimits.firstTitle : wideItemLimits.title
    requireText(item.title, maxTitle, 'A521', `${at}.title`, issues)
    requireValue(item.imgUrl, 'A521', `${at}.imgUrl`, issues)
    requireValue(item.urlMobile, 'A521', `${at}.urlMobile`, issues)
  }
}

export function wideItemImages(items: WideItems | undefined, path: string): ImageReference[] {
  return (items?.list ?? []).map(({ imgUrl }, index) => ({
    key: imgUrl,
    path: `${path}.list[${index}].imgUrl`,
    ...(index === 0 ? { first: true as const } : {}),
  }))
}
