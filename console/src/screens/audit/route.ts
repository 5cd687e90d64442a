import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { readSearchChoice, readSearchText } from '../../components/search-text.ts'
import { auditResults, type AuditSearch } from './search.ts'

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
