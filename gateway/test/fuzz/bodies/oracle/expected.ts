/**
 * Computes the expected result of an accepted body from the body only: for each destination the steps that
 * must be durable.
 */
import { toCanonical } from './canonical.ts'
import { toFields, omitEmpty, isFields, toArray, type Fields } from './fields.ts'
import { countOctets, toDomesticText } from './text.ts'

export interface ExpectedStep {
  readonly channel: string
  readonly content: Fields
}

export interface ExpectedMessage {
  readonly to: unknown
  /** Null if a placeholder has no value, so that the destination must be rejected. */
  readonly steps: readonly ExpectedStep[] | null
}

export function computeExpected(channel: string, body: Fields): readonly ExpectedMessage[] {
  if (channel !== 'omni') return [{ to: body['to'], steps: simpleSteps(channel, body) }]
  return toArray(body['destinations']).map((candidate) => {
    const destination = toFields(candidate)
    const words = toFields(destination['replaceWords'] ?? destination['replaceWord'])
    return { to: destination['to'], steps: flowSteps(toArray(body['messageFlow']), words) }
  })
}

function simpleSteps(channel: string, body: Fields): ExpectedStep[] {
  const { fallback, ...rest } = body
  const content = Object.fromEntries(Object.entries(rest).filter(([key]) => key !== 'to' && key !== 'ref'))
  const first = step(channel, content)
  return isFields(fallback) ? [first, fallbackStep(channel, fallback, body['from'])] : [first]
}

/** A fallback that does not fit an SMS is sent as MMS. */
function fallbackStep(channel: string, fallback: Fields, sender: unknown): ExpectedStep {
  const { type, from, title, fileKey, ...rest } = fallback
  const text = rest['text']
  const fits = typeof text === 'string' && countOctets(text) <= 90 && toArray(fileKey).length === 0
  const content = { from: from ?? (channel === 'rcs' ? sender : undefined), ...rest }
  const short = type === 'SMS' && fits
  return short ? step('sms', content) : step('mms', { ...content, title, fileKey })
}

function flowSteps(flow: readonly unknown[], words: Fields): ExpectedStep[] | null {
  try {
    return flow.flatMap((entry) =>
      Object.entries(omitEmpty(toFields(entry))).map(([name, content]) =>
        step(name, toFields(fill(content, words))),
      ),
    )
  } catch (error) {
    if (error instanceof MissingWord) return null
    throw error
  }
}

function step(channel: string, content: Fields): ExpectedStep {
  const canonical = toFields(toCanonical(content))
  if (channel !== 'sms' && channel !== 'mms') return { channel, content: canonical }
  const texts = Object.entries(canonical).filter(([name]) => name === 'text' || name === 'title')
  const sent = texts.map(([name, text]) => [name, typeof text === 'string' ? toDomesticText(text) : text])
  return { channel, content: { ...canonical, ...toFields(Object.fromEntries(sent)) } }
}

class MissingWord extends Error {
  override readonly name = 'MissingWord'
}

/** Fields in which no placeholders are replaced. */
const literal =
  'from senderKey templateCode formatId brandKey brandId agencyId agencyKey msgType sendType type ttl originCID'.split(
    ' ',
  )

function fill(value: unknown, words: Fields): unknown {
  if (typeof value === 'string') return fillText(value, words)
  if (Array.isArray(value)) return value.map((item) => fill(item, words))
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, literal.includes(key) ? inner : fill(inner, words)]),
  )
}

/** Replaces once from left to right: a value that looks like a placeholder is not replaced. */
function fillText(text: string, words: Fields): string {
  let filled = ''
  for (let at = 0; at < text.length;) {
    const open = text.indexOf('#{', at)
    if (open < 0) return filled + text.slice(at)
    filled += text.slice(at, open)
    const key = keyAt(text, open + 2)
    if (key === '') {
      filled += '#'
      at = open + 1
      continue
    }
    const word = Object.hasOwn(words, key) ? words[key] : undefined
    if (!['string', 'number', 'boolean'].includes(typeof word)) throw new MissingWord(key)
    filled += String(word)
    at = open + key.length + 3
  }
  return filled
}

/** Returns an empty string if no placeholder begins: no closing brace, nothing between the braces, or another brace first. */
function keyAt(text: string, start: number): string {
  const close = text.indexOf('}', start)
  const key = close < 0 ? '' : text.slice(start, close)
  return key.includes('{') ? '' : key
}
