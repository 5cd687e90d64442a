/** The texts of a step that a recipient reads, for marks of advertisements and for links: of a rich step every string of its content. */
import type { Step } from './channel.ts'

/** As deep as a channel allows, and some more. */
const maxLevels = 16

/** Keys and names of files: they are of the operator's own store, or no text. */
const ours: ReadonlySet<string> = new Set([
  ...['from', 'senderKey', 'brandKey', 'templateCode', 'formatId', 'fileKey', 'originCID', 'media', 'imgUrl'],
])

/** NFKC leaves such a text as it is, and nothing in it is invisible. */
export const usualText = /^[\t\n\r\x20-\x7e가-힣]*$/

/** `isUsual`: `usualText` matches it. */
type Visit = (text: string, isUsual: boolean) => boolean

interface ContentTexts {
  readonly content: object
  readonly texts: readonly string[]
  /** All of them, when all are usual. */
  readonly usual: string | null
}

/**
 * Several rules look at the texts of a step, and so does its lane: they are collected once for each content, which nobody changes
 * after it was checked. Walking it for each of them took 11 % of an API process, and a weak map of all contents 3 %. A message has
 * at most three steps mostly; with more than these the texts are collected again.
 */
const recent: (ContentTexts | undefined)[] = Array.from({ length: 4 }, () => undefined)
let oldest = 0

/**
 * Calls `visit` with every text; stops when it returns true, and returns whether it did. `needle`: characters without which no
 * usual text is of interest. A rich step whose texts are all usual is then searched for them once.
 */
export function someText(step: Step, visit: Visit, needle?: string): boolean {
  if ('text' in step) return visit(step.text, isUsual(step.text))
  const { texts, usual } = textsOf(step.content)
  if (usual === null) return texts.some((text) => visit(text, usualText.test(text)))
  if (needle !== undefined && !usual.includes(needle)) return false
  return texts.some((text) => visit(text, true))
}

/** Of the text of a step, which several rules look at. */
let tested = { text: '', isUsual: true }

function isUsual(text: string): boolean {
  if (text !== tested.text) tested = { text, isUsual: usualText.test(text) }
  return tested.isUsual
}

function textsOf(content: object): ContentTexts {
  for (const known of recent) if (known?.content === content) return known
  const texts: string[] = []
  collect(content, texts, maxLevels)
  const all = texts.join('\n')
  const found = { content, texts, usual: usualText.test(all) ? all : null }
  recent[oldest] = found
  oldest = (oldest + 1) % recent.length
  return found
}

/** Arrays by index: `for … in` makes a string of every index, which took as long as the rest. */
function collect(value: object, into: string[], levels: number): void {
  if (Array.isArray(value)) for (const item of value as unknown[]) collectOne(item, into, levels)
  else
    for (const name in value)
      if (!ours.has(name)) collectOne((value as Readonly<Record<string, unknown>>)[name], into, levels)
}

function collectOne(value: unknown, into: string[], levels: number): void {
  if (typeof value === 'string') into.push(value)
  else if (typeof value === 'object' && value !== null && levels > 0) collect(value, into, levels - 1)
}
