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

/** The placeholders of a content: found once, filled in for each destination. */
export interface Placeholders {
  /** Zero for most flows, which are used as they are. Names of fields and identifiers count too: this is an upper bound. */
  readonly count: number
  readonly texts: readonly Place[]
}

/** A text with placeholders, or an object or list with such texts in it. */
interface Place {
  readonly key: string | number
  /** Null for a text. */
  readonly below: readonly Place[] | null
}

export function findPlaceholders(content: object): Placeholders {
  const search = new Search()
  const texts = search.placesIn(content, false)
  return { count: search.count, texts }
}

const none: readonly Place[] = []

class Search {
  count = 0

  /** `own`: within an object whose fields are not named by the contract. */
  placesIn(value: object, own: boolean): readonly Place[] {
    let places: Place[] | undefined
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        const place = this.#at(index, value[index], own)
        if (place !== null) (places ??= []).push(place)
      }
    } else {
      for (const key in value) {
        this.count += countIn(key)
        const place = this.#at(key, (value as Record<string, unknown>)[key], own)
        if (place !== null && (own || !notText.has(key))) (places ??= []).push(place)
      }
    }
    return places ?? none
  }

  /** Null when there is nothing to fill in. */
  #at(key: string | number, value: unknown, own: boolean): Place | null {
    if (typeof value === 'string') {
      const count = countIn(value)
      this.count += count
      return count === 0 ? null : { key, below: null }
    }
    if (typeof value !== 'object' || value === null) return null
    const below = this.placesIn(value, own || (typeof key === 'string' && ownNames.has(key)))
    return below.length === 0 ? null : { key, below }
  }
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

  /**
   * `texts` are those of `findPlaceholders`, `at` is the path before the fields. A text with a problem is returned with its
   * placeholders.
   */
  fill(content: object, texts: readonly Place[], at: string, tooLong: TooLong): object {
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
      // What has no placeholder is not copied.
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
