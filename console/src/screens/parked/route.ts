import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { stages, type Stage } from './causes.ts'

export interface ParkedSearch {
  readonly stage?: Stage | undefined
  /** Why jobs were parked, as the API lists it. Null: jobs without a reason. */
  readonly reason?: string | null | undefined
}

const maxReason = 200

function readReason(given: unknown): string | null | undefined {
  if (given === null) return null
  return typeof given === 'string' && given !== '' ? given.slice(0, maxReason) : undefined
}

export const parkedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/parked',
  validateSearch: (given: Readonly<Record<string, unknown>>): ParkedSearch => ({
    stage: stages.find((stage) => stage === given.stage),
    reason: readReason(given.reason),
  }),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'ParkedScreen'),
})

export const parkedJobRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/parked/$id',
  component: lazyRouteComponent(() => import('./job/screen.tsx'), 'ParkedJobScreen'),
})

export const parkedRoutes = [parkedRoute, parkedJobRoute] as const
