/** Changes of a route by operators, newest first. Successful ones of the last hour are numbered for the chart. */
import { useRead, type Item } from '../../../api/queries.ts'
import { useRight } from '../../../session/session.ts'

export type Change = Item<'listAudit'>
export interface MarkedChange {
  readonly nth: number
  readonly at: number
  readonly change: Change
}
export interface RouteChanges {
  readonly mayRead: boolean
  readonly loading: boolean
  readonly rows: readonly Change[]
  /** Oldest first. */
  readonly inLastHour: readonly MarkedChange[]
}

const hourMs = 3_600_000
const maxShown = 8

export function useChanges(routeId: string): RouteChanges {
  const mayRead = useRight('audit')
  const { data, isPending } = useRead(
    'listAudit',
    { query: { action: 'route', target: routeId, limit: 20 } },
    { everyMs: 10_000, enabled: mayRead },
  )
  const changes = (data?.items ?? []).filter(({ target, result }) => target === routeId && result !== 'begun')
  const rows = changes.slice(0, maxShown)
  const since = Date.now() - hourMs
  const inLastHour = rows
    .filter(({ at, result }) => result === 'done' && Date.parse(at) > since)
    .reverse()
    .map((change, index): MarkedChange => ({ nth: index + 1, at: Date.parse(change.at), change }))
  return { mayRead, loading: mayRead && isPending, rows, inLastHour }
}
