/**
 * `#{key}` in any text of a flow, replaced by the destination's word for the key. A placeholder without a word is an
 * error that names it: nobody wants to read "Dear #{name}". Limits are checked after this.
 */
import type { Issues } from '../../channels/issues.ts'
import { invalidField } from '../../contract/problem.ts'

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

/** Their fields are named by the customer or the carrier, so none of those names means anything here. */
const ownNames = new Set([
  'template',
  'body',
  'messageVariable',
  'buttonVariable',
  'couponVariable',
  'imageVariable',
  'videoVariable',
  'commerceVariable',
  'carouselVariable',
])

/** Whether there is anything to fill in: most flows have no placeholder, and are then taken as they are. */
export function hasPlaceholder(content: object): boolean {
  return JSON.stringify(content).includes('#{')
}

/** `at` is the path of the value. A placeholder without a word stays in the text. */
export function fillIn<T>(value: T, words: Readonly<Record<string, string>>, at: string, issues: Issues): T {
  return fill(value, { words, issues }, at, false) as T
}

interface Filling {
  readonly words: Readonly<Record<string, string>>
  readonly issues: Issues
}

function fill(value: unknown, filling: Filling, path: string, own: boolean): unknown {
  if (filling.issues.isSettled()) return value
  if (typeof value === 'string') return fillText(value, filling, path)
  if (Array.isArray(value)) return value.map((item, index) => fill(item, filling, `${path}[${index}]`, own))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      !own && notText.has(key)
        ? inner
        : fill(inner, filling, path === '' ? key : `${path}.${key}`, own || ownNames.has(key)),
    ]),
  )
}

function fillText(text: string, { words, issues }: Filling, path: string): string {
  if (!text.includes('#{')) return text
  return text.replaceAll(placeholder, (whole, key: string) => {
    if (Object.hasOwn(words, key)) return words[key]!
    // How long the text would be is not known.
    issues.add(invalidField('A303', path, `replaceWords has no value for #{${key}}`), path)
    return whole
  })
}
