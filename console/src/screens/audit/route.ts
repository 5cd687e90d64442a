import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { readSearchChoice, readSearchText } from '../../components/search-text.ts'

export const auditResults = ['done', 'begun', 'failed', 'refused', 'looked'] as const

/** Filters of the audit log, as the API expects them; times in ISO 8601. */
export interface AuditSearch {
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly target?: string | undefined
  readonly account?: string | undefined
  readonly result?: (typeof auditResults)[number] | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly requestId?: string | undefined
}

function readTime(given: unknown): string | undefined {
  const text = readSearchText(given)
  return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text
}

export const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  validateSearch: (given: Readonly<Record<string, unknown>>): AuditSearch => ({
    actor: readSearchText(given.actor),
    action: readSearchText(given.action),
    target: readSearchText(given.target),
    account: readSearchText(given.account),
    result: readSearchChoice(given.result, auditResults),
    since: readTime(given.since),
    until: readTime(given.until),
    requestId: readSearchText(given.requestId),
  }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'AuditScreen'),
})

export const auditEntryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit/$seq',
  component: lazyRouteComponent(() => import('./entry/screen.tsx'), 'AuditEntryScreen'),
})

export const auditRoutes = [auditRoute, auditEntryRoute] as const
