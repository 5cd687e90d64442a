/**
 * Shortens details of an audit row that are too long: the longest fields are replaced by their size, and the
 * others are kept.
 */

type Fields = Record<string, unknown>

interface DetailField {
  readonly holder: Fields
  readonly name: string
  readonly length: number
}

/**
 * The first two passes keep fields that take a smaller part of the row, because such a field may identify the
 * changed object. The last pass may omit them.
 */
const shortFraction = 1 / 48

/**
 * `text` is an object in JSON. A row must not lose the description of a change because one list in it is
 * long.
 */
export function fitDetails(text: string, max: number): string {
  if (text.length <= max) return text
  const { hosts, ...details } = JSON.parse(text) as Fields
  // `hosts` shows where a route leads, and must not depend on the length of the rest, which the same author writes.
  const shortHosts = hosts === undefined || JSON.stringify(hosts).length > max / 2 ? {} : { hosts }
  let excess = text.length - max
  // A change is logged as `from` and `to`, which may have fields of their own. Omit long nested values first, because the others
  // describe the change; if that is not enough, omit whole fields.
  for (const depth of [3, 2]) excess = omitLongest(listFields(details, depth), excess, max * shortFraction)
  excess = omitLongest(listFields(details, 1), excess)
  return JSON.stringify({ ...shortHosts, ...(excess > 0 ? omitted(text.length) : details) })
}

/** Returns the number of excess characters that remain. */
function omitLongest(fields: readonly DetailField[], tooMany: number, short = 0): number {
  let excess = tooMany
  for (const { holder, name, length } of [...fields].sort((left, right) => right.length - left.length)) {
    const saved = length - JSON.stringify(omitted(length)).length
    if (excess <= 0 || saved <= 0 || length <= short) break
    holder[name] = omitted(length)
    excess -= saved
  }
  return excess
}

const omitted = (length: number) => ({ omittedCharacters: length })

/** Lists the fields down to this depth. */
function listFields(holder: Fields, depth: number): DetailField[] {
  return Object.entries(holder).flatMap(([name, value]) =>
    depth > 1 && isFields(value)
      ? listFields(value, depth - 1)
      : [{ holder, name, length: JSON.stringify(value).length }],
  )
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
