/**
 * The expected result of an accepted body: for each destination the steps that must be durable, derived from the body
 * alone. A body that must not be accepted gives a reason instead.
 */
import { canonical } from './canonical.ts'
import { fieldsOf, givenIn, isFields, listOf, type Fields } from './fields.ts'
import { octetsOf } from './text.ts'

export interface ExpectedStep {
  readonly channel: string
  readonly content: Fields
}

export interface Expected {
  readonly to: unknown
  /** Null when a placeholder has no value. */
  readonly steps: readonly ExpectedStep[] | null
}

export function expectedOf(channel: string, body: Fields): readonly Expected[] {
  if (channel !== 'omni') return [{ to: body['to'], steps: simpleSteps(channel, body) }]
  return listOf(body['destinations']).map((candidate) => {
    const destination = fieldsOf(candidate)
    const words = fieldsOf(destination['replaceWords'] ?? destination['replaceWord'])
    return { to: destination['to'], steps: flowSteps(listOf(body['messageFlow']), words) }
  })
}

function simpleSteps(channel: string, body: Fields): ExpectedStep[] {
  const { fallback, ...rest } = body
  const content = Object.fromEntries(Object.entries(rest).filter(([key]) => key !== 'to' && key !== 'ref'))
  const first = step(channel, content)
  return isFields(fallback) ? [first, fallbackStep(channel, fallback, body['from'])] : [first]
}

/** A fallback that does not fit an SMS goes as MMS. */
function fallbackStep(channel: string, fallback: Fields, sender: unknown): ExpectedStep {
  const { type, from, title, fileKey, ...rest } = fallback
  const text = rest['text']
  const fits = typeof text === 'string' && octetsOf(text) <= 90 && listOf(fileKey).length === 0
  const content = { from: from ?? (channel === 'rcs' ? sender : undefined), ...rest }
  const short = type === 'SMS' && fits
  return short ? step('sms', content) : step('mms', { ...content, title, fileKey })
}

function flowSteps(flow: readonly unknown[], words: Fields): ExpectedStep[] | null {
  try {
    return flow.flatMap((entry) =>
      Object.entries(givenIn(fieldsOf(entry))).map(([name, content]) =>
        step(name, fieldsOf(fill(content, words))),
      ),
    )
  } catch (error) {
    if (error instanceof MissingWord) return null
    throw error
  }
}

function step(channel: string, content: Fields): ExpectedStep {
  return { channel, content: fieldsOf(canonical(content)) }
}

class MissingWord extends Error {
  override readonly name = 'MissingWord'
}

/** Names and keys: no text, so nothing is replaced in them. */
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

/** From left to right, once: a value that looks like a placeholder is not replaced. */
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

/** Empty where no placeholder begins: nothing between the braces, or another brace first. */
function keyAt(text: string, start: number): string {
  const close = text.indexOf('}', start)
  const key = close < 0 ? '' : text.slice(start, close)
  return key.includes('{') ? '' : key
}
