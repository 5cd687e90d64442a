/** Reads and checks the parameters of GET /v1/usage. Pure. */
import { invalidField } from '../../contract/problem.ts'
import { groupings, type Grouping } from './queries.ts'

export interface UsageQuery {
  readonly from: string
  readonly to: string
  readonly by: readonly Grouping[]
}

const maxDays = 366
const dayMs = 86_400_000

/** The default is the last 30 days, by day. */
export function readUsageQuery(query: unknown, timeZone: string, now: Date): UsageQuery {
  const given = query as Readonly<Record<string, unknown>>
  const to = given.to === undefined ? dayIn(timeZone, now) : readDay(given.to, 'to')
  const from =
    given.from === undefined
      ? new Date(Date.parse(to) - 29 * dayMs).toISOString().slice(0, 10)
      : readDay(given.from, 'from')
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1
  if (days < 1 || days > maxDays)
    throw invalidField('A300', 'from', `must be 0 to ${maxDays - 1} days before 'to'`)
  return { from, to, by: given.by === undefined ? ['day'] : readGroupings(given.by) }
}

function dayIn(timeZone: string, now: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now)
}

function readDay(given: unknown, name: string): string {
  const day = typeof given === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(given) ? given : ''
  const time = Date.parse(day)
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(day)) return day
  throw invalidField('A300', name, 'must be a day, such as 2026-11-15')
}

function readGroupings(given: unknown): Grouping[] {
  const names = typeof given === 'string' ? given.split(',').filter((name) => name !== '') : []
  const known = names.filter((name): name is Grouping => Object.hasOwn(groupings, name))
  if (typeof given === 'string' && known.length === names.length && new Set(names).size === names.length)
    return known
  throw invalidField(
    'A300',
    'by',
    `must be a comma-separated list of ${Object.keys(groupings).join(', ')}, each at most once`,
  )
}
