/** Reads and checks the parameters of GET /v1/usage. */
import { isDay } from '../../contract/day.ts'
import { invalidField } from '../../contract/problem.ts'
import { parseIntegerParameter } from '../../contract/query-parameters.ts'
import { groupings, type Grouping, type UsagePage, type UsageRow } from './queries.ts'

export interface UsageQuery {
  readonly from: string
  readonly to: string
  readonly by: readonly Grouping[]
  readonly page: UsagePage
}

/** Limits a response: a row has about 150 bytes of JSON. */
export const maxRows = 10_000

const maxDays = 366
const dayMs = 86_400_000

/** Reads the parameters; the default is the last 30 days, by day. */
export function readUsageQuery(query: unknown, timeZone: string, now: Date): UsageQuery {
  const parameters = query as Readonly<Record<string, unknown>>
  const to = parameters.to === undefined ? dayIn(timeZone, now) : readDay(parameters.to, 'to')
  const from =
    parameters.from === undefined
      ? new Date(Date.parse(to) - 29 * dayMs).toISOString().slice(0, 10)
      : readDay(parameters.from, 'from')
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (days < 1 || days > maxDays)
    throw invalidField('A300', 'from', `must be 0 to ${maxDays - 1} days before 'to'`)
  const by = parameters.by === undefined ? (['day'] as const) : readGroupings(parameters.by)
  const limit =
    parameters.limit === undefined ? maxRows : parseIntegerParameter(parameters.limit, 'limit', 1, maxRows)
  return { from, to, by, page: { limit, after: readAfter(parameters.after, by) } }
}

/** Encodes the value of `after` for the page that follows this row. */
export function encodeUsageCursor(row: UsageRow, by: readonly Grouping[]): string {
  return Buffer.from(JSON.stringify(by.map((name) => row[name] ?? ''))).toString('base64url')
}

function readAfter(given: unknown, by: readonly Grouping[]): string[] | null {
  if (given === undefined) return null
  const values = typeof given === 'string' && given.length <= 1_000 ? decode(given) : null
  if (Array.isArray(values) && values.length === by.length && values.length > 0 && values.every(isStorable))
    return values
  throw invalidField('A300', 'after', "must be the 'next' of a response with the same 'by'")
}

function isStorable(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed()
}

function decode(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return null
  }
}

function dayIn(timeZone: string, now: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now)
}

function readDay(given: unknown, name: string): string {
  if (typeof given === 'string' && isDay(given)) return given
  throw invalidField('A300', name, 'must be a day, such as 2026-11-15')
}

function readGroupings(given: unknown): Grouping[] {
  const names = typeof given === 'string' ? given.split(',').filter((name) => name !== '') : []
  const groupingNames = names.filter((name): name is Grouping => Object.hasOwn(groupings, name))
  if (
    typeof given === 'string' &&
    groupingNames.length === names.length &&
    new Set(names).size === names.length
  )
    return groupingNames
  throw invalidField(
    'A300',
    'by',
    `must be a comma-separated list of ${Object.keys(groupings).join(', ')}, each at most once`,
  )
}
