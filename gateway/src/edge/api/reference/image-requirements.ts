import type { ImageRule } from '../../../records/files/rules.ts'

/** Returns the upload requirements that the server enforces, as one line of Markdown per rule. */
export function imageRequirements(rules: readonly ImageRule[]): string {
  const lines = rules.map(({ serviceType, kind, formats, maxBytes, dimensions, lifetimeMs }) => {
    const path = [serviceType, kind].filter((segment) => segment !== '').join('/')
    const days = Math.round(lifetimeMs / 86_400_000)
    return `- \`${path}\`: ${formats.join(', ')}; ${describeDimensions(dimensions)}at most ${maxBytes / 1024} KB; usable for ${days} days`
  })
  return lines.join('\n')
}

function describeDimensions(dimensions: ImageRule['dimensions']): string {
  const { minWidth, maxWidth, minHeight, maxHeight, widest, tallest } = dimensions
  const span = (name: string, min?: number, max?: number): string[] => {
    if (min === undefined && max === undefined) return []
    if (min === max) return [`${name} ${min} px`]
    if (min === undefined) return [`${name} at most ${max} px`]
    return [max === undefined ? `${name} at least ${min} px` : `${name} ${min} to ${max} px`]
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
