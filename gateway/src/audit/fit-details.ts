/** Details of an audit row that are too long: the longest fields are replaced by their size, and the others stay. Pure. */

type Fields = Record<string, unknown>

interface Place {
  readonly holder: Fields
  readonly name: string
  readonly length: number
}

/** A field that takes less of a row stays, however many others there are: it may be what names the place of a change. */
const shortShare = 1 / 48

/** `text`: an object in JSON. A row must not lose what a change did because one list of it is long. */
export function fitDetails(text: string, max: number): string {
  if (text.length <= max) return text
  const { hosts, ...details } = JSON.parse(text) as Fields
  // They say where a route goes, which must not depend on how long the rest is: its author writes that, too.
  const kept = hosts === undefined || JSON.stringify(hosts).length > max / 2 ? {} : { hosts }
  let excess = text.length - max
  // A field of a change is `from` and `to`, which may have fields of their own: one of them is long, and the others say what was done.
  // Of very many fields, these alone save too little.
  for (const depth of [3, 2]) excess = omitLongest(placesOf(details, depth), excess, max * shortShare)
  excess = omitLongest(placesOf(details, 1), excess)
  return JSON.stringify({ ...kept, ...(excess > 0 ? omitted(text.length) : details) })
}

/** Returns how many characters are still too many. */
function omitLongest(places: readonly Place[], tooMany: number, short = 0): number {
  let excess = tooMany
  for (const { holder, name, length } of [...places].sort((left, right) => right.length - left.length)) {
    const saved = length - JSON.stringify(omitted(length)).length
    if (excess <= 0 || saved <= 0 || length <= short) break
    holder[name] = omitted(length)
    excess -= saved
  }
  return excess
}

const omitted = (length: number) => ({ omittedCharacters: length })

/** Down to this depth. */
function placesOf(holder: Fields, depth: number): Place[] {
  return Object.entries(holder).flatMap(([name, value]) =>
    depth > 1 && isFields(value)
      ? placesOf(value, depth - 1)
      : [{ holder, name, length: JSON.stringify(value).length }],
  )
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
