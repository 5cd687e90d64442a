import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../app/root-route.tsx'
import { stages, type ParkedStage } from './causes.ts'

const maxReason = 200

export interface ParkedSearch {
  readonly stage?: ParkedStage | undefined
  /** Reason as the API lists it; `null` selects jobs without a reason. */
  readonly reason?: string | null | undefined
}

function readParkedSearch(given: Readonly<Record<string, unknown>>): ParkedSearch {
  return { stage: stages.find((stage) => stage === given.stage), reason: readReason(given.reason) }
}

function readReason(given: unknown): string | null | undefined {
  if (given === null) return null
  return typeof given === 'string' && given !== '' ? given.slice(0, maxReason) : undefined
}

export const parkedRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/parked',
  validateSearch: readParkedSearch,
  component: lazyRouteComponent(() => import('./screen.tsx'), 'ParkedScreen'),
})

export const parkedJobRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/parked/$id',
  component: lazyRouteComponent(() => import('./job/screen.tsx'), 'ParkedJobScreen'),
})

export const parkedRoutes = [parkedRoute, parkedJobRoute] as const
