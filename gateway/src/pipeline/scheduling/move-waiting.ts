import type { StepJob } from '../../jobs/jobs.ts'
import { lanes, type Lane } from '../../channels/lane.ts'
import { findWaitingAccountIds } from '../../records/waiting/find-waiting.ts'
import {
  firstPage,
  readDuePage,
  type PagedStep,
  type DueStepPosition,
} from '../../records/waiting/read-waiting.ts'
import { toRouteRequest } from './place.ts'
import { releaseWaiting, type ReleaseWaitingContext } from './release-waiting.ts'
import { clock } from '../../platform/time/clock.ts'

export interface MoveWaitingContext extends ReleaseWaitingContext {
  readonly routeId: string
}

/** Maximum pages of each lane that one call reads. */
const maxPages = 4

interface PageRequest {
  readonly after: ReadonlyMap<number, DueStepPosition>
  readonly perAccount: number
}

type Progress = Map<number, DueStepPosition | 'through'>

/**
 * Remembers how far the waiting steps of a route were read: a position for each account and lane. Steps that
 * have to stay are skipped, so they do not hide those behind them. Accounts share a page equally.
 */
export class MovePass {
  readonly pageSize: number
  readonly #lanes = new Map<Lane, Progress>(lanes.map((lane) => [lane, new Map()]))

  constructor(pageSize = 1_000) {
    this.pageSize = pageSize
  }

  /** Starts again from the oldest steps: the routes have changed, and steps that had to stay may leave. */
  restart(): void {
    for (const progress of this.#lanes.values()) progress.clear()
  }

  /** Returns what to read next for the accounts with due steps, or null if all are complete. */
  nextPage(lane: Lane, accounts: readonly number[]): PageRequest | null {
    const progress = this.#lanes.get(lane)!
    const after = new Map<number, DueStepPosition>()
    for (const account of accounts) {
      const position = progress.get(account) ?? firstPage
      if (position !== 'through') after.set(account, position)
      if (after.size === this.pageSize) break
    }
    return after.size === 0 ? null : { after, perAccount: Math.floor(this.pageSize / after.size) }
  }

  /** Continues after the steps of the page. */
  advance(lane: Lane, { after, perAccount }: PageRequest, steps: readonly PagedStep[]): void {
    const progress = this.#lanes.get(lane)!
    const byAccount = Map.groupBy(steps, ({ accountId }) => accountId)
    for (const account of after.keys()) {
      const read = byAccount.get(account) ?? []
      progress.set(account, read.length < perAccount ? 'through' : read.at(-1)!.position)
    }
  }

  /** Reports whether all accounts are complete; the next page is then the first one again. */
  endIfComplete(lane: Lane, accounts: readonly number[]): boolean {
    if (this.nextPage(lane, accounts) !== null) return false
    this.#lanes.get(lane)!.clear()
    return true
  }
}

export interface MoveResult {
  readonly moved: number
  /** If false, more steps are to be read: call again with the same pass. */
  readonly complete: boolean
}

/**
 * Moves waiting steps of a route whose carrier is unreachable, or which is disabled, to routes that serve
 * them, a limited number at a time: each goes to the other route's queue if that has free capacity, else to
 * its backlog. Steps that no other route serves stay, and the next call continues behind them; rows of steps
 * that have ended are removed. `waitingLanes` are the lanes on which steps wait, if they are known.
 */
export async function moveWaiting(
  context: MoveWaitingContext,
  pass: MovePass = new MovePass(),
  waitingLanes: readonly Lane[] = lanes,
): Promise<MoveResult> {
  let moved = 0
  let complete = true
  for (const lane of waitingLanes) {
    const result = await moveLane(context, pass, lane)
    moved += result.moved
    complete &&= result.complete
  }
  return { moved, complete }
}

async function moveLane(context: MoveWaitingContext, pass: MovePass, lane: Lane): Promise<MoveResult> {
  const { database, routeId } = context
  const now = clock.date()
  const found = await findWaitingAccountIds(database, routeId, lane, now)
  const waiters = found.filter((accountId) => context.getBlock(accountId) === undefined)
  let moved = 0
  for (let page = 0; page < maxPages && moved < pass.pageSize; page++) {
    const request = pass.nextPage(lane, waiters)
    if (request === null) break
    const { after, perAccount } = request
    const steps = await readDuePage(database, routeId, lane, after, { perAccount, now })
    const leaving = steps.filter(({ job }) => job === null || mayLeave(context, job))
    // The routes may change in the meantime; without another route a step continues to wait.
    await releaseWaiting(context, leaving, { avoid: routeId, waitFor: routeId })
    // Advance only after the release: if that fails, the page is read again.
    pass.advance(lane, request, steps)
    moved += leaving.length
  }
  return { moved, complete: pass.endIfComplete(lane, waiters) }
}

/**
 * Reports whether the step may leave. One for which no route can be chosen leaves as well, because the
 * release parks it.
 */
function mayLeave(context: MoveWaitingContext, job: StepJob): boolean {
  try {
    return hasOtherRoute(context, job)
  } catch {
    return true
  }
}

export function hasOtherRoute(
  { router, routeId }: Pick<MoveWaitingContext, 'router' | 'routeId'>,
  job: StepJob,
): boolean {
  const choice = router.choose(toRouteRequest(job), routeId)
  return choice !== null && choice.route.id !== routeId
}
