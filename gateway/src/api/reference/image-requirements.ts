/** What an upload must be, in words made from the rules that the server enforces. */
import type { ImageRule } from '../../files/rules.ts'

/** One line of Markdown per rule. */
export function imageRequirements(rules: readonly ImageRule[]): string {
  const lines = rules.map(({ serviceType, kind, formats, maxBytes, frame, lifetimeMs }) => {
    const path = [serviceType, kind].filter((word) => word !== '').join('/')
    const days = Math.round(lifetimeMs / 86_400_000)
    return `- \`${path}\`: ${formats.join(', ')}; ${frameWords(frame)}at most ${maxBytes / 1024} KB; usable for ${days} days`
  })
  return lines.join('\n')
}

function frameWords(frame: ImageRule['frame']): string {
  const { minWidth, maxWidth, minHeight, maxHeight, widest, tallest } = frame
  const span = (name: string, least?: number, most?: number): string[] => {
    if (least === undefined && most === undefined) return []
    if (least === most) return [`${name} ${least} px`]
    if (least === undefined) return [`${name} at most ${most} px`]
    return [most === undefined ? `${name} at least ${least} px` : `${name} ${least} to ${most} px`]
  }
  const ratio = (pair: readonly [number, number] | undefined) => pair?.join(':')
  const ratios =
    widest === undefined && tallest === undefined
      ? []
      : ratio(widest) === ratio(tallest)
        ? [`width:height ${ratio(widest)}`]
        : [`width:height between ${ratio(widest)} and ${ratio(tallest)}`]
  return [...span('width', minWidth, maxWidth), ...span('height', minHeight, maxHeight), ...ratios]
    .map((part) => `${part}; `)
    .join('')
}
