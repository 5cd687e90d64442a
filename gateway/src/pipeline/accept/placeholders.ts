/**
 * Replaces `#{key}` in any text of a flow by the destination's value for the key. A placeholder without a value is an
 * error that names it, so that no recipient reads "Dear #{name}". Limits are checked afterwards.
 */
import { variableNames } from '../../channels/brandmessage/variables.ts'
import type { Issues } from '../../channels/issues.ts'
import { invalidField, memberPath, type Problem } from '../../contract/problem.ts'

const placeholder = /#\{([^{}]+)\}/g

/** Of a key in an error text. */
const maxKey = 50

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
const ownNames: ReadonlySet<string> = new Set(['template', 'body', ...variableNames])

/** Over all messages of a flow. Each is replaced for each destination, so their number bounds the work of a request. */
export const maxPlaceholders = 1_000

/** UTF-16 units of one text with its values. The longest content that a channel accepts has 30,720 bytes. */
export const maxFilledText = 32_768

/** UTF-16 units of all texts of one destination with their values. */
export const maxFilledTotal = 131_072

/** Zero for most flows, which are used as they are. Names of fields count too: this is an upper bound. */
export function countPlaceholders(content: object): number {
  const json = JSON.stringify(content)
  let count = 0
  for (let at = json.indexOf('#{'); at !== -1; at = json.indexOf('#{', at + 2)) count++
  return count
}

/** The problem of a text at a path within the content, for example `shape.tooLong`. */
type TooLong = (path: string, reason: string) => Problem

/**
 * Fills in the messages of one destination. The length of a text is computed before it is filled in, because a value may
 * be used a thousand times.
 */
export class Filler {
  readonly #values: Readonly<Record<string, string>>
  readonly #issues: Issues
  #left = maxFilledTotal
  /** The message whose texts exceeded the total: one problem for all of them. */
  #exceededAt: string | undefined

  constructor(values: Readonly<Record<string, string>>, issues: Issues) {
    this.#values = values
    this.#issues = issues
  }

  /** `at` is the path before the fields. A text with a problem is returned with its placeholders. */
  fill<T extends object>(content: T, at: string, tooLong: TooLong): T {
    const fillText = (text: string, path: string): string => this.#fillText(text, path, at, tooLong)
    return this.#fill(content, '', false, fillText) as T
  }

  #fill(
    value: unknown,
    path: string,
    own: boolean,
    fillText: (text: string, path: string) => string,
  ): unknown {
    if (this.#issues.isSettled()) return value
    if (typeof value === 'string') return fillText(value, path)
    if (Array.isArray(value))
      return value.map((item, index) => this.#fill(item, `${path}[${index}]`, own, fillText))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        !own && notText.has(key)
          ? inner
          : this.#fill(inner, memberPath(path, key), own || ownNames.has(key), fillText),
      ]),
    )
  }

  #fillText(text: string, path: string, at: string, tooLong: TooLong): string {
    if (!text.includes('#{')) return text
    const { length, missing } = this.#measure(text)
    for (const key of missing) this.#addMissing(key, at + path)
    if (missing.size > 0) return text
    if (length > maxFilledText) {
      const reason = `must be at most ${maxFilledText} characters with its values, found ${length}`
      this.#issues.add(tooLong(path, reason), at + path)
      return text
    }
    if (length > this.#left) {
      if (this.#exceededAt === at) return text
      this.#exceededAt = at
      const reason = `the texts of one destination must be at most ${maxFilledTotal} characters with their values`
      this.#issues.add(tooLong(path, reason), at)
      return text
    }
    this.#left -= length
    return text.replaceAll(placeholder, (_, key: string) => this.#values[key]!)
  }

  #measure(text: string): { readonly length: number; readonly missing: ReadonlySet<string> } {
    const missing = new Set<string>()
    let { length } = text
    for (const [whole, key] of text.matchAll(placeholder) as Iterable<[string, string]>) {
      if (Object.hasOwn(this.#values, key)) length += this.#values[key]!.length - whole.length
      else missing.add(key)
    }
    return { length, missing }
  }

  #addMissing(key: string, path: string): void {
    if (this.#issues.isSettled()) return
    const name = key.length <= maxKey ? key : `${key.slice(0, maxKey)}…`
    // The length of the final text is unknown.
    this.#issues.add(invalidField('A303', path, `replaceWords has no value for #{${name}}`), path)
  }
}
