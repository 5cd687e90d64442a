/**
 * Moves waiting steps of a route whose carrier is unreachable, or which is disabled, to routes that serve them, a bounded
 * number at a time: each goes to the other route's queue if that has free capacity, else to its backlog. Steps that no
 * other route serves stay; rows of steps that have ended are removed. Called by the route's owner and by the evacuation.
 */
import type { RouteJob } from '../../jobs/jobs.ts'
import { lanes } from '../../channels/lane.ts'
import { findWaiters, readDueSteps } from '../../records/waiting/waiting.ts'
import { toRouteRequest } from './place.ts'
import { releaseWaiting, type ReleaseWaitingContext } from './release-waiting.ts'

export interface MoveWaitingContext extends ReleaseWaitingContext {
  readonly routeId: string
}

const maxPerLane = 1_000

/** Returns how many steps were moved. */
export async function moveWaiting(context: MoveWaitingContext): Promise<number> {
  let moved = 0
  for (const lane of lanes) {
    const now = new Date()
    const accounts = await findWaiters(context.database, context.routeId, lane, now)
    if (accounts.length === 0) continue
    const each = Math.max(1, Math.floor(maxPerLane / accounts.length))
    const shares = new Map(accounts.slice(0, maxPerLane).map((accountId) => [accountId, each]))
    const steps = await readDueSteps(context.database, context.routeId, lane, shares, now)
    const leaving = steps.filter(({ job }) => job === null || mayLeave(context, job))
    await releaseWaiting(context, leaving, { avoid: context.routeId })
    moved += leaving.length
  }
  return moved
}

/** A step for which no route can be chosen leaves too: the release parks it. */
function mayLeave(context: MoveWaitingContext, job: RouteJob): boolean {
  try {
    return hasOtherRoute(context, job)
  } catch {
    return true
  }
}

export function hasOtherRoute(
  { router, routeId }: Pick<MoveWaitingContext, 'router' | 'routeId'>,
  job: RouteJob,
): boolean {
  const choice = router.choose(toRouteRequest(job), routeId)
  return choice !== null && choice.route.id !== routeId
}
