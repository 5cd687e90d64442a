/**
 * Moves waiting steps of a route whose carrier is unreachable, or which is disabled, to routes that serve them, a bounded
 * number at a time: each goes to the other route's queue if that has free capacity, else to its backlog. Steps that no
 * other route serves stay, and the next call continues behind them; rows of steps that have ended are removed. Called by
 * the route's owner and by the relocation of routes that do not run.
 */
import type { RouteJob } from '../../jobs/jobs.ts'
import { lanes, type Lane } from '../../channels/lane.ts'
import { findWaiters } from '../../records/waiting/find-waiting.ts'
import { readDuePage } from '../../records/waiting/read-waiting.ts'
import { MovePass } from './move-pass.ts'
import { toRouteRequest } from './place.ts'
import { releaseWaiting, type ReleaseWaitingContext } from './release-waiting.ts'
import { clock } from '../../platform/clock.ts'

export interface MoveWaitingContext extends ReleaseWaitingContext {
  readonly routeId: string
}

/** Pages of each lane that one call reads at most. */
const maxPages = 4

export interface MoveResult {
  /** How many steps were moved. */
  readonly moved: number
  /** False when steps were not looked at yet: call again with the same pass. */
  readonly complete: boolean
}

/** `from`: the lanes on which steps wait, where that is known. */
export async function moveWaiting(
  context: MoveWaitingContext,
  pass: MovePass = new MovePass(),
  from: readonly Lane[] = lanes,
): Promise<MoveResult> {
  let moved = 0
  let complete = true
  for (const lane of from) {
    const result = await moveLane(context, pass, lane)
    moved += result.moved
    complete &&= result.complete
  }
  return { moved, complete }
}

async function moveLane(context: MoveWaitingContext, pass: MovePass, lane: Lane): Promise<MoveResult> {
  const { database, routeId } = context
  const now = clock.date()
  const found = await findWaiters(database, routeId, lane, now)
  const waiters = found.filter((accountId) => context.stopOf(accountId) === undefined)
  let moved = 0
  for (let page = 0; page < maxPages && moved < pass.pageSize; page++) {
    const request = pass.nextPage(lane, waiters)
    if (request === null) break
    const { after, perAccount } = request
    const steps = await readDuePage(database, routeId, lane, after, { perAccount, now })
    const leaving = steps.filter(({ job }) => job === null || mayLeave(context, job))
    // The routes may change in between: without another one it keeps waiting.
    await releaseWaiting(context, leaving, { avoid: routeId, waitFor: routeId })
    // After the release: when it fails, the page is read again.
    pass.advance(lane, request, steps)
    moved += leaving.length
  }
  return { moved, complete: pass.endIfComplete(lane, waiters) }
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
