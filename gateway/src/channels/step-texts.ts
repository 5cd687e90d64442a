/**
 * Collects the texts of a step that a recipient reads, to find advertisement marks and links: for a rich step
 * every string of its content.
 */
import type { Step } from './channel.ts'

/** Deeper than any channel allows. */
const maxLevels = 16

/** Keys, IDs and names of files, which recipients do not read. */
const hiddenFields: ReadonlySet<string> = new Set([
  ...['from', 'senderKey', 'brandKey', 'templateCode', 'formatId', 'fileKey', 'originCID', 'media', 'imgUrl'],
])

/** Matches a text that NFKC leaves unchanged and that contains nothing invisible. */
export const usualText = /^[\t\n\r\x20-\x7e가-힣]*$/

/** `isUsual` is whether `usualText` matches the text. */
type Visit = (text: string, isUsual: boolean) => boolean

interface ContentTexts {
  readonly content: object
  readonly texts: readonly string[]
  /** All texts joined, if all are usual. */
  readonly usual: string | null
}

/**
 * Caches the texts of recent contents, because several rules and the lane read the same step and checked
 * content never changes. Walking the content for each of them, or a weak map of all contents, costs
 * noticeable CPU time. Most messages have at most three steps; with more than these the texts are collected
 * again.
 */
const recent: (ContentTexts | undefined)[] = Array.from({ length: 4 }, () => undefined)
let oldest = 0

/**
 * Calls `visit` with every text until it returns true, and returns whether it did. `needle` are characters
 * that every usual text of interest contains: a rich step whose texts are all usual is searched for them
 * once.
 */
export function someStepText(step: Step, visit: Visit, needle?: string): boolean {
  if ('text' in step) return visit(step.text, isUsual(step.text))
  const { texts, usual } = getTexts(step.content)
  if (usual === null) return texts.some((text) => visit(text, usualText.test(text)))
  if (needle !== undefined && !usual.includes(needle)) return false
  return texts.some((text) => visit(text, true))
}

/** Caches the last text, which several rules check in sequence. */
let tested = { text: '', isUsual: true }

function isUsual(text: string): boolean {
  if (text !== tested.text) tested = { text, isUsual: usualText.test(text) }
  return tested.isUsual
}

function getTexts(content: object): ContentTexts {
  for (const cached of recent) if (cached?.content === content) return cached
  const texts: string[] = []
  collect(content, texts, maxLevels)
  const all = texts.join('\n')
  const result = { content, texts, usual: usualText.test(all) ? all : null }
  recent[oldest] = result
  oldest = (oldest + 1) % recent.length
  return result
}

/** Iterates arrays by index: `for … in` creates a string for every index, which doubles the time. */
function collect(value: object, into: string[], levels: number): void {
  if (Array.isArray(value)) for (const item of value as unknown[]) collectOne(item, into, levels)
  else
    for (const name in value)
      if (!hiddenFields.has(name))
        collectOne((value as Readonly<Record<string, unknown>>)[name], into, levels)
}

function collectOne(value: unknown, into: string[], levels: number): void {
  if (typeof value === 'string') into.push(value)
  else if (typeof value === 'object' && value !== null && levels > 0) collect(value, into, levels - 1)
}
