/**
 * Collects the texts of a step that a recipient reads, to find advertisement marks and links: for a rich step
 * every string of its content, except `hiddenFields`.
 */
import type { Step } from './channel.ts'

/** The API accepts no deeper JSON. */
const maxLevels = 32

/** Senders, keys, IDs and names of files, which are not part of the text. */
const hiddenFields: ReadonlySet<string> = new Set([
  'from',
  'senderKey',
  'brandKey',
  'templateCode',
  'formatId',
  'fileKey',
  'originCID',
  'media',
  'imgUrl',
])

/** Matches a text that NFKC leaves unchanged and that contains nothing invisible. */
export const plainText = /^[\t\n\r\x20-\x7e가-힣]*$/

/** `isPlain` is whether `plainText` matches the text. */
type Visit = (text: string, isPlain: boolean) => boolean

interface ContentTexts {
  readonly content: object
  readonly texts: readonly string[]
  /** All texts joined; null if one is not plain. */
  readonly plain: string | null
}

/**
 * Caches the texts of recent contents, because several rules and the lane read the same step and checked
 * content never changes. Walking the content for each of them, or a weak map of all contents, costs
 * noticeable CPU time. Keeps the last four contents, because most messages have at most three steps; the texts of a
 * longer flow are collected again.
 */
const recent: (ContentTexts | undefined)[] = Array.from({ length: 4 }, () => undefined)
let oldest = 0

/**
 * Calls `visit` with every text until it returns true, and returns whether it did. `needle` is a string without which no
 * plain text can match. If all texts of a rich step are plain and none contains it, `visit` is not called. A text step
 * ignores it.
 */
export function someStepText(step: Step, visit: Visit, needle?: string): boolean {
  if ('text' in step) return visit(step.text, isPlain(step.text))
  const { texts, plain } = getTexts(step.content)
  if (plain === null) return texts.some((text) => visit(text, plainText.test(text)))
  if (needle !== undefined && !plain.includes(needle)) return false
  return texts.some((text) => visit(text, true))
}

/** The last text tested, and its result. Several rules check the same text in sequence. */
let tested = { text: '', isPlain: true }

function isPlain(text: string): boolean {
  if (text !== tested.text) tested = { text, isPlain: plainText.test(text) }
  return tested.isPlain
}

function getTexts(content: object): ContentTexts {
  for (const cached of recent) if (cached?.content === content) return cached
  const texts: string[] = []
  collect(content, texts, maxLevels)
  const joined = texts.join('\n')
  const result = { content, texts, plain: plainText.test(joined) ? joined : null }
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
