/** The texts of a step that a recipient reads, for marks of advertisements and for links: of a rich step every string of its content. */
import type { Step } from './channel.ts'

/** As deep as a channel allows, and some more. */
const maxLevels = 16

/** Keys and names of files: they are of the operator's own store, or no text. */
const ours: ReadonlySet<string> = new Set([
  ...['from', 'senderKey', 'brandKey', 'templateCode', 'formatId', 'fileKey', 'originCID', 'media', 'imgUrl'],
])

/**
 * Several rules look at the texts of a step, and so does its lane: they are collected once for each content, which nobody changes after it
 * was checked. Walking it for each of them took 11 % of an API process.
 */
const known = new WeakMap<object, readonly string[]>()

/** Calls `visit` with every text; stops when it returns true, and returns whether it did. */
export function someText(step: Step, visit: (text: string) => boolean): boolean {
  return 'text' in step ? visit(step.text) : textsOf(step.content).some(visit)
}

function textsOf(content: object): readonly string[] {
  let texts = known.get(content)
  if (texts === undefined) {
    const found: string[] = []
    collect(content, found, maxLevels)
    known.set(content, (texts = found))
  }
  return texts
}

function collect(value: unknown, into: string[], levels: number): void {
  if (typeof value === 'string') into.push(value)
  if (typeof value !== 'object' || value === null || levels === 0) return
  for (const name in value)
    if (!ours.has(name)) collect((value as Readonly<Record<string, unknown>>)[name], into, levels - 1)
}
