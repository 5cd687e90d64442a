/**
 * Replaces `#{key}` in any text of a flow by the destination's value for the key. A placeholder without a value is an
 * error that names it, so that no recipient reads "Dear #{name}". Limits are checked afterwards.
 */
import type { Issues } from '../../channels/issues.ts'
import { invalidField } from '../../contract/problem.ts'

const placeholder = /#\{([^{}]+)\}/g

/** Identifiers, not text: a placeholder in them would change the sender or the template. */
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

/** Objects whose fields are named by the customer or the carrier: `notText` does not apply inside them. */
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

/** Most flows have no placeholder and are used as they are. */
export function hasPlaceholder(content: object): boolean {
  return JSON.stringify(content).includes('#{')
}

/** `at` is the path of the value. A placeholder without a value stays in the text. */
export function fillIn<T>(value: T, values: Readonly<Record<string, string>>, at: string, issues: Issues): T {
  return fill(value, { values, issues }, at, false) as T
}

interface Filling {
  readonly values: Readonly<Record<string, string>>
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

function fillText(text: string, { values, issues }: Filling, path: string): string {
  if (!text.includes('#{')) return text
  return text.replaceAll(placeholder, (whole, key: string) => {
    if (Object.hasOwn(values, key)) return values[key]!
    // The length of the final text is unknown.
    issues.add(invalidField('A303', path, `replaceWords has no value for #{${key}}`), path)
    return whole
  })
}
