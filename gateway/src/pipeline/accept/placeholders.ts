/**
 * Replaces `#{key}` in any text of a flow by the destination's value for the key. A placeholder without a value is an
 * error that names it, so that no recipient reads "Dear #{name}". Limits are checked afterwards.
 */
import { variableNames } from '../../channels/brandmessage/variables.ts'
import type { Issues } from '../../channels/issues.ts'
import { invalidField, memberPath, type Problem } from '../../contract/problem.ts'

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
export function countPlaceholders(content: unknown): number {
  if (typeof content === 'string') return countIn(content)
  if (typeof content !== 'object' || content === null) return 0
  let count = 0
  for (const name of Object.keys(content)) {
    count += countIn(name) + countPlaceholders((content as Record<string, unknown>)[name])
  }
  return count
}

function countIn(text: string): number {
  let count = 0
  for (let at = text.indexOf('#{'); at !== -1; at = text.indexOf('#{', at + 2)) count++
  return count
}

/** A text as the pieces between its placeholders `#{key}`: one more piece than keys. A key has no brace. */
function split(text: string): { readonly pieces: string[]; readonly keys: string[] } {
  const pieces: string[] = []
  const keys: string[] = []
  let done = 0
  let end = 0
  for (let at = text.indexOf('#{'); at !== -1; at = text.indexOf('#{', at + 2)) {
    // The end is searched once for all beginnings before it: a text of beginnings only must not cost a square.
    if (end < at + 3) end = text.indexOf('}', at + 3)
    if (end === -1) break
    const key = text.slice(at + 2, end)
    if (key.includes('{') || text[at + 2] === '}') continue
    pieces.push(text.slice(done, at))
    keys.push(key)
    done = end + 1
  }
  pieces.push(text.slice(done))
  return { pieces, keys }
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
  /** Names and indexes that lead to the current text; joined only for a problem. */
  readonly #path: (string | number)[] = []
  /** The message whose texts exceeded the total: one problem for all of them. */
  #exceededAt: string | undefined

  constructor(values: Readonly<Record<string, string>>, issues: Issues) {
    this.#values = values
    this.#issues = issues
  }

  /** `at` is the path before the fields. A text with a problem is returned with its placeholders. */
  fill<T extends object>(content: T, at: string, tooLong: TooLong): T {
    const fillText = (text: string): string => this.#fillText(text, at, tooLong)
    return this.#fill(content, false, fillText) as T
  }

  /** What has no placeholder is not copied. */
  #fill(value: unknown, own: boolean, fillText: (text: string) => string): unknown {
    if (typeof value === 'string') return value.includes('#{') ? fillText(value) : value
    if (typeof value !== 'object' || value === null || this.#issues.isSettled()) return value
    let copy: Record<string, unknown> | undefined
    for (const key of Object.keys(value)) {
      if (!own && notText.has(key)) continue
      const inner = (value as Record<string, unknown>)[key]
      this.#path.push(Array.isArray(value) ? Number(key) : key)
      const filled = this.#fill(inner, own || ownNames.has(key), fillText)
      this.#path.pop()
      if (filled === inner) continue
      copy ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>
      copy[key] = filled
    }
    return copy ?? value
  }

  #fillText(text: string, at: string, tooLong: TooLong): string {
    const { pieces, keys } = split(text)
    let { length } = text
    for (const key of keys) {
      if (Object.hasOwn(this.#values, key)) length += this.#values[key]!.length - key.length - 3
      else return this.#reportMissing(keys, at, text)
    }
    if (length > maxFilledText) {
      const reason = `must be at most ${maxFilledText} characters with its values, found ${length}`
      this.#issues.add(tooLong(this.#field(), reason), at + this.#field())
      return text
    }
    if (length > this.#left) {
      if (this.#exceededAt === at) return text
      this.#exceededAt = at
      const reason = `the texts of one destination must be at most ${maxFilledTotal} characters with their values`
      this.#issues.add(tooLong(this.#field(), reason), at)
      return text
    }
    this.#left -= length
    let filled = pieces[0]!
    for (const [index, key] of keys.entries()) filled += this.#values[key]! + pieces[index + 1]!
    return filled
  }

  /** The path of the current text within the content: `button[0].name`. */
  #field(): string {
    return this.#path.reduce<string>(
      (path, name) => (typeof name === 'number' ? `${path}[${name}]` : memberPath(path, name)),
      '',
    )
  }

  #reportMissing(keys: readonly string[], at: string, text: string): string {
    const missing = keys.filter((key) => !Object.hasOwn(this.#values, key))
    for (const key of new Set(missing)) this.#addMissing(key, at + this.#field())
    return text
  }

  #addMissing(key: string, path: string): void {
    if (this.#issues.isSettled()) return
    const name = key.length <= maxKey ? key : `${key.slice(0, maxKey)}…`
    // The length of the final text is unknown.
    this.#issues.add(invalidField('A303', path, `replaceWords has no value for #{${name}}`), path)
  }
}
