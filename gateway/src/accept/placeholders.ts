/**
 * `#{key}` in any text of a flow, replaced by the destination's word for the key. A placeholder without a word is an
 * error that names it: nobody wants to read "Dear #{name}". Limits are checked after this.
 */
import { invalidField } from '../platform/problem.ts'

const placeholder = /#\{([^{}]+)\}/g

/** Names and keys, not words: a placeholder in them would send a message by another sender or template. */
const notText = new Set([
  'from',
  'senderKey',
  'templateCode',
  'formatId',
  'brandKey',
  'brandId',
  'agencyId',
  'agencyKey',
  'msgType',
  'sendType',
  'type',
  'ttl',
  'originCID',
])

/** Whether there is anything to fill in: most flows have no placeholder, and are then taken as they are. */
export function hasPlaceholder(content: object): boolean {
  return JSON.stringify(content).includes('#{')
}

export function fillIn<T>(value: T, words: Readonly<Record<string, string>>, at: string): T {
  return fill(value, words, at) as T
}

function fill(value: unknown, words: Readonly<Record<string, string>>, path: string): unknown {
  if (typeof value === 'string') {
    if (!value.includes('#{')) return value
    return value.replaceAll(placeholder, (_whole, key: string) => {
      if (!Object.hasOwn(words, key))
        throw invalidField('A303', path, `no word is given for #{${key}} in replaceWords`)
      return words[key]!
    })
  }
  if (Array.isArray(value)) return value.map((item, index) => fill(item, words, `${path}[${index}]`))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      notText.has(key) ? inner : fill(inner, words, path === '' ? key : `${path}.${key}`),
    ]),
  )
}
