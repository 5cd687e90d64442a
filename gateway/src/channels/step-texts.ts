/** The texts of a step that a recipient reads, for marks of advertisements and for links: of a rich step every string of its content. Pure. */
import type { Step } from './channel.ts'

/** As deep as a channel allows, and some more. */
const maxLevels = 16

/** Calls `visit` with every text; stops when it returns true, and returns whether it did. */
export function someText(step: Step, visit: (text: string) => boolean): boolean {
  return 'text' in step ? visit(step.text) : someString(step.content, visit, maxLevels)
}

function someString(value: unknown, visit: (text: string) => boolean, levels: number): boolean {
  if (typeof value === 'string') return visit(value)
  if (typeof value !== 'object' || value === null || levels === 0) return false
  for (const name in value) {
    if (ours.has(name)) continue
    if (someString((value as Readonly<Record<string, unknown>>)[name], visit, levels - 1)) return true
  }
  return false
}

/** Keys and names of files: they are of the operator's own store, or no text. */
const ours: ReadonlySet<string> = new Set([
  ...['from', 'senderKey', 'brandKey', 'templateCode', 'formatId', 'fileKey', 'originCID', 'media', 'imgUrl'],
])
