/**
 * Parses the text of a receipt. The specification gives one format as an example and calls it vendor specific, so this
 * searches by key: any order, any case, any common separator, any key missing. Never throws and never guesses a missing
 * value. Takes time linear in the text, of which it reads `maxReceiptText` characters.
 */
import { findStatByName } from './message-state.ts'

export interface ReceiptText {
  readonly id?: string
  readonly stat?: string
  readonly err?: string
  readonly doneDate?: string
}

type Key = keyof ReceiptText

/** Texts of receipts have about 150 characters; much longer ones are errors or attacks. */
export const maxReceiptText = 2_048

// `sub`, `dlvrd` and `submit date` are recognized only because they end the value before them.
const keys =
  /(?<=^|[\s,;|/&])((?:message[ _-]?|msg[ _-]?)?id|sub|dlvrd|submit[ _-]?date|done[ _-]?date|stat(?:us|e)?|err(?:or)?(?:[ _-]?code)?|text)\s*[:=]/gi

/**
 * The format of the specification with plain values, which most receipts have. Ten times as fast as the key search, with the
 * same result. Some carriers put NUL octets before the text.
 */
const specifiedFormat =
  /^\0*id:([\w-]+) sub:\w+ dlvrd:\w+ submit date:\w+ done date:(\w+) stat:(\w+) err:(\w+)(?: text:|$)/i

/** Returns whether the text has the format of the specification and a known state. */
export function isReceiptText(text: string): boolean {
  const stat = specifiedFormat.exec(text)?.[3]
  return stat !== undefined && findStatByName(stat) !== undefined
}

export function readReceiptText(raw: string): ReceiptText {
  const match = raw.length <= maxReceiptText ? specifiedFormat.exec(raw) : null
  if (match !== null) return { id: match[1]!, stat: match[3]!, err: match[4]!, doneDate: match[2]! }
  return searchKeys(raw)
}

function searchKeys(raw: string): ReceiptText {
  // Some carriers put stray NUL octets before or after the text; treat them as white space.
  const text = cutAtSpace(raw).replaceAll('\0', ' ')
  const found: { -readonly [K in Key]?: string } = {}
  const marks = [...text.matchAll(keys)]
  for (const [index, mark] of marks.entries()) {
    const name = mark[1]!.toLowerCase()
    // The content after `text:` is message text, whose author could write "stat:DELIVRD" there.
    if (name === 'text' && (found.id !== undefined || found.stat !== undefined)) break
    const key = keyOf(name)
    if (key === null || found[key] !== undefined) continue
    const value = text.slice(mark.index + mark[0].length, marks[index + 1]?.index ?? text.length)
    const token = withoutSeparators(value.trim().split(/\s/, 1)[0]!)
    if (token !== '') found[key] = token
  }
  return found
}

/** Cuts before the value that crosses the limit, because a truncated id would be a different id. */
function cutAtSpace(text: string): string {
  if (text.length <= maxReceiptText) return text
  let end = maxReceiptText
  while (end > 0 && text[end - 1]!.trim() !== '') end -= 1
  return text.slice(0, end)
}

/** Loops, because a regular expression takes quadratic time on separators in the middle of the text. */
function withoutSeparators(token: string): string {
  let end = token.length
  while (end > 0 && ',;|/&'.includes(token[end - 1]!)) end -= 1
  return token.slice(0, end)
}

function keyOf(name: string): Key | null {
  if (name.endsWith('id')) return 'id'
  if (name.startsWith('stat')) return 'stat'
  if (name.startsWith('err')) return 'err'
  return name.startsWith('done') ? 'doneDate' : null
}

/**
 * Parses `YYMMDDhhmm`, `YYMMDDhhmmss`, `YYYYMMDDhhmm` or `YYYYMMDDhhmmss` in the time zone of the carrier. Returns null for
 * other formats. Twelve digits are first read as a two-digit year with seconds, the most common form; a four-digit year then
 * gives month 20 or more and is read the other way.
 */
export function readReceiptDate(digits: string, utcOffsetMinutes: number): Date | null {
  switch (/^\d+$/.test(digits) ? digits.length : 0) {
    case 10:
      return parseDate(`20${digits}00`, utcOffsetMinutes)
    case 12:
      return parseDate(`20${digits}`, utcOffsetMinutes) ?? parseDate(`${digits}00`, utcOffsetMinutes)
    case 14:
      return parseDate(digits, utcOffsetMinutes)
    default:
      return null
  }
}

function parseDate(digits: string, utcOffsetMinutes: number): Date | null {
  const at = (from: number, to: number): number => Number(digits.slice(from, to))
  const [year, month, day, hour, minute, second] = [
    at(0, 4),
    at(4, 6),
    at(6, 8),
    at(8, 10),
    at(10, 12),
    at(12, 14),
  ]
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second))
  // Date turns 31 February into a day in March, and hour 24 into the next day.
  const isDay =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!isDay || hour > 23 || minute > 59 || second > 59) return null
  return new Date(date.getTime() - utcOffsetMinutes * 60_000)
}
