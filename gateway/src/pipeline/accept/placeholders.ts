/**
 * Replaces `#{key}` in the texts of a flow by the destination's value for the key. A placeholder without a
 * value is an error that names it, so no recipient reads "Dear #{name}". The limits of the channels are checked
 * afterwards.
 */
import { variableNames } from '../../channels/brandmessage/variables.ts'
import type { Issues } from '../../channels/issues.ts'
import { invalidField, memberPath, type Problem } from '../../contract/problem.ts'

/** Longest key that an error text shows completely. */
const maxKey = 50

/** Fields that are not texts and are not filled in: a value would change, for example, the sender or the template. */
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

/** Objects whose fields are named by the customer or the carrier; `notText` does not apply inside them. */
const customNames: ReadonlySet<string> = new Set(['template', 'body', ...variableNames])

/** Limit over all messages of a flow, because each placeholder is replaced for each destination. */
export const maxPlaceholders = 1_000

/** Limit of one text with its values, in UTF-16 units. The longest content that a channel accepts has 30,720 bytes. */
export const maxFilledText = 32_768

/** Limit of all texts of one destination with their values, in UTF-16 units. */
export const maxFilledTotal = 131_072

/** Placeholders of a content, found once and filled in for each destination. */
export interface Placeholders {
  /** Upper bound: placeholders in field names and identifiers count, but are not filled in. */
  readonly count: number
  readonly texts: readonly TextPath[]
}

/** A text with placeholders, or an object or array that contains such texts. */
interface TextPath {
  readonly key: string | number
  /** Null for a text. */
  readonly below: readonly TextPath[] | null
}

export function findPlaceholders(content: object): Placeholders {
  const search = new Search()
  const texts = search.findIn(content, false)
  return { count: search.count, texts }
}

const none: readonly TextPath[] = []

class Search {
  count = 0

  /**
   * Finds the texts with placeholders; `isCustom` is true within an object whose fields are not named by the
   * contract.
   */
  findIn(value: object, isCustom: boolean): readonly TextPath[] {
    let paths: TextPath[] | undefined
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        const path = this.#findAt(index, value[index], isCustom)
        if (path !== null) (paths ??= []).push(path)
      }
    } else {
      for (const key in value) {
        this.count += countPlaceholders(key)
        const path = this.#findAt(key, (value as Record<string, unknown>)[key], isCustom)
        if (path !== null && (isCustom || !notText.has(key))) (paths ??= []).push(path)
      }
    }
    return paths ?? none
  }

  /** Returns null if there is nothing to fill in. */
  #findAt(key: string | number, value: unknown, isCustom: boolean): TextPath | null {
    if (typeof value === 'string') {
      const count = countPlaceholders(value)
      this.count += count
      return count === 0 ? null : { key, below: null }
    }
    if (typeof value !== 'object' || value === null) return null
    const below = this.findIn(value, isCustom || (typeof key === 'string' && customNames.has(key)))
    return below.length === 0 ? null : { key, below }
  }
}

function countPlaceholders(text: string): number {
  let count = 0
  for (let at = text.indexOf('#{'); at !== -1; at = text.indexOf('#{', at + 2)) count++
  return count
}

/** Splits a text at its placeholders `#{key}`. There is one more piece than keys. A key has no brace. */
function split(text: string): { readonly pieces: string[]; readonly keys: string[] } {
  const pieces: string[] = []
  const keys: string[] = []
  let done = 0
  let end = 0
  for (let at = text.indexOf('#{'); at !== -1; at = text.indexOf('#{', at + 2)) {
    // Search the end once for all openings before it; otherwise a text of openings would take quadratic time.
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

/** Creates the problem of a text at a path within the content. */
type TooLong = (path: string, reason: string) => Problem

/**
 * Fills in the messages of one destination. The length of a text is computed before it is filled in, because
 * a value may be used a thousand times.
 */
export class Filler {
  readonly #values: Readonly<Record<string, string>>
  readonly #issues: Issues
  #left = maxFilledTotal
  /** Names and indexes that lead to the current text. */
  readonly #path: (string | number)[] = []
  /** Path of the message whose texts exceeded the total, which is reported once. */
  #exceededAt: string | undefined

  constructor(values: Readonly<Record<string, string>>, issues: Issues) {
    this.#values = values
    this.#issues = issues
  }

  /**
   * Fills in `texts`, the result of `findPlaceholders`; `at` is the path before the fields. A text with a
   * problem is returned with its placeholders.
   */
  fill(content: object, texts: readonly TextPath[], at: string, tooLong: TooLong): object {
    let copy: Record<string | number, unknown> | undefined
    for (const { key, below } of texts) {
      if (this.#issues.isSettled()) break
      const value = (content as Readonly<Record<string | number, unknown>>)[key]
      this.#path.push(key)
      const filled =
        below === null
          ? this.#fillText(value as string, at, tooLong)
          : this.fill(value as object, below, at, tooLong)
      this.#path.pop()
      if (filled === value) continue
      // Parts without placeholders are not copied.
      copy ??= (Array.isArray(content) ? [...(content as unknown[])] : { ...content }) as Record<
        string | number,
        unknown
      >
      copy[key] = filled
    }
    return copy ?? content
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
    for (let index = 0; index < keys.length; index++)
      filled += this.#values[keys[index]!]! + pieces[index + 1]!
    return filled
  }

  /** Returns the path of the current text within the content: `button[0].name`. */
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
