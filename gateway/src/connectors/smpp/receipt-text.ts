/**
 * Reads the text of a receipt. The specification gives one form as an example and calls the format vendor
 * specific, so this goes key by key: any order, any case, any of the usual separators, anything missing.
 * It never throws and never guesses a value that is not there.
 */
export interface ReceiptText {
  readonly id?: string
  readonly stat?: string
  readonly err?: string
  readonly doneDate?: string
}

type Key = keyof ReceiptText

// `sub`, `dlvrd` and `submit date` are recognised only so that they end the value before them.
const keys =
  /(?<=^|[\s,;|/&])((?:message[ _-]?|msg[ _-]?)?id|sub|dlvrd|submit[ _-]?date|done[ _-]?date|stat(?:us|e)?|err(?:or)?(?:[ _-]?code)?|text)\s*[:=]/gi

export function readReceiptText(raw: string): ReceiptText {
  // Some carriers put stray NUL octets before or after the text; they count as white space.
  const text = raw.replaceAll('\0', ' ')
  const found: { -readonly [K in Key]?: string } = {}
  const marks = [...text.matchAll(keys)]
  for (const [index, mark] of marks.entries()) {
    const word = mark[1]!.toLowerCase()
    // What follows `text:` was written by the message's author, who could write "stat:DELIVRD" there.
    if (word === 'text' && (found.id !== undefined || found.stat !== undefined)) break
    const key = keyOf(word)
    if (key === null || found[key] !== undefined) continue
    const value = text.slice(mark.index + mark[0].length, marks[index + 1]?.index ?? text.length)
    const token = value
      .trim()
      .split(/\s/, 1)[0]!
      .replace(/[,;|/&]+$/, '')
    if (token !== '') found[key] = token
  }
  return found
}

function keyOf(word: string): Key | null {
  if (word.endsWith('id')) return 'id'
  if (word.startsWith('stat')) return 'stat'
  if (word.startsWith('err')) return 'err'
  return word.startsWith('done') ? 'doneDate' : null
}

/**
 * `YYMMDDhhmm`, `YYMMDDhhmmss`, `YYYYMMDDhhmm` or `YYYYMMDDhhmmss` in the carrier's own zone; null for
 * anything that is not a real moment. Twelve digits are read with seconds first, because that is the usual form;
 * a four-digit year then shows as month 20 or more and is read the other way.
 */
export function readReceiptDate(digits: string, utcOffsetMinutes: number): Date | null {
  switch (/^\d+$/.test(digits) ? digits.length : 0) {
    case 10:
      return moment(`20${digits}00`, utcOffsetMinutes)
    case 12:
      return moment(`20${digits}`, utcOffsetMinutes) ?? moment(`${digits}00`, utcOffsetMinutes)
    case 14:
      return moment(digits, utcOffsetMinutes)
    default:
      return null
  }
}

function moment(digits: string, utcOffsetMinutes: number): Date | null {
  const at = (from: number, to: number): string => digits.slice(from, to)
  const local = `${at(0, 4)}-${at(4, 6)}-${at(6, 8)}T${at(8, 10)}:${at(10, 12)}:${at(12, 14)}`
  const date = new Date(`${local}Z`)
  // The second test catches 31 February, which Date would move into March.
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(local)) return null
  return new Date(date.getTime() - utcOffsetMinutes * 60_000)
}
