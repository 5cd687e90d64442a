/**
 * Moves waiting steps of a route that cannot take them to routes that can, a bounded number at a time: each goes to
 * another route's queue if there is room, else to that route's backlog. Steps that no other route serves stay.
 */
import type { RouteJob } from '../messages/jobs.ts'
import { lanes } from '../messages/lane.ts'
import { findWaiters, readTurns, removeWaiting } from '../messages/waiting.ts'
import { place, type PlaceContext } from '../routes/place.ts'
import { releasePlaced, type ReleaseContext } from '../routes/release.ts'

export interface ReassignContext extends PlaceContext, ReleaseContext {
  readonly routeId: string
}

const perLane = 1_000

/** Returns how many were moved. */
export async function reassignWaiting(context: ReassignContext): Promise<number> {
  let moved = 0
  for (const lane of lanes) {
    const now = new Date()
    const accounts = await findWaiters(context.database, context.routeId, lane, now)
    if (accounts.length === 0) continue
    const each = Math.max(1, Math.floor(perLane / accounts.length))
    const shares = new Map(accounts.slice(0, perLane).map((accountId) => [accountId, each]))
    const steps = await readTurns(context.database, context.routeId, lane, shares, now)
    const leaving = steps.filter(({ job }) => job !== null && hasOtherWay(context, job))
    const placed = leaving.map((step) => ({
      job: step.job!,
      placement: place(context, step.job!, { avoid: context.routeId }),
    }))
    await releasePlaced(context, placed)
    const stayed = new Set(
      placed.flatMap(({ job, placement }) => (placement.kind === 'hold' ? [job.msgKey] : [])),
    )
    await removeWaiting(
      context.database,
      leaving.filter(({ msgKey }) => !stayed.has(msgKey)),
    )
    moved += leaving.length
  }
  return moved
}

export function hasOtherWay(
  { router, routeId }: Pick<ReassignContext, 'router' | 'routeId'>,
  job: RouteJob,
): boolean {
  const { accountId, to, msgKey } = job
  const choice = router.choose({ accountId, channel: job.content.channel, to, msgKey }, routeId)
  return choice !== null && choice.route.id !== routeId
}
