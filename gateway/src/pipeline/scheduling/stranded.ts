import {
  getAccountWeight,
  type SchedulingSettingsTable,
} from '../../identity/accounts/scheduling-settings.ts'
import { lanes, type Lane } from '../../channels/lane.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import {
  type DueSteps,
  findDueAccounts,
  findWaitingLanes,
  type WaitingLanes,
} from '../../records/waiting/find-waiting.ts'
import { readDueSteps } from '../../records/waiting/read-waiting.ts'
import { findExistingShares } from '../../carriers/routes/queries.ts'
import type { Route } from '../../carriers/routes/route.ts'
import { listShareIds } from '../../carriers/routes/shares.ts'
import { createFairShares } from './fair-shares.ts'
import { releaseWaiting, type ReleaseWaitingContext } from './release-waiting.ts'

export interface StrandedContext extends ReleaseWaitingContext {
  readonly database: Database
  readonly routes: { readonly value: readonly Pick<Route, 'id' | 'owners'>[] }
  readonly schedulingSettings: SchedulingSettingsTable
}

/** Small, so an urgent step that becomes due waits for one batch only. */
const batchSize = 500

/** Waiting steps of one share and lane; `routeId` is empty if no route was chosen. */
interface StrandedLane {
  readonly routeId: string
  readonly lane: Lane
  /** If the route exists, the share for which its steps wait when no route can be chosen. */
  readonly waitFor?: string | undefined
}

/**
 * Releases due steps that no route's owner will: no route was chosen yet (scheduled messages, retries, pending steps), the
 * route is deleted, or it has fewer owners now. The urgent lane goes first, then normal, then bulk, and within a lane the
 * accounts take turns by weight, so a million advertisements that are due at the same minute as a one-time code do not delay
 * it. While the host's clock and PostgreSQL's disagree, scheduled messages continue to wait, because a message that is sent
 * early cannot be revoked.
 */
export class StrandedSteps {
  readonly #context: StrandedContext
  readonly #shares = createFairShares()
  /** Accounts of the lane that is being released, except those found to have no due steps. */
  #accounts: { readonly laneKey: string; readonly left: Set<number> } | undefined

  constructor(context: StrandedContext) {
    this.#context = context
  }

  /** Reports whether any waiting step is stranded. */
  isAmong(waiting: WaitingLanes): boolean {
    return this.#findStranded(waiting).length > 0
  }

  /** Releases all stranded steps that are due, in batches. Calls `mayContinue` before each batch. */
  async release(mayContinue: () => Promise<boolean>): Promise<void> {
    const empty = new Set<string>()
    // While the broker accepts nothing, a batch would be found again and again.
    while (this.#context.publisher.canPublish && (await mayContinue())) {
      const first = await this.#findFirst(await findWaitingLanes(this.#context.database), empty)
      if (first === undefined) return
      if ((await this.#releaseBatch(first)) === 0) empty.add(toLaneKey(first))
    }
  }

  /** Returns the route ids that are no share of a route known to this process. */
  #findStranded(waiting: WaitingLanes): string[] {
    if (waiting.size === 0) return []
    const currentShares = new Set(listShareIds(this.#context.routes.value))
    return [...waiting.keys()].filter((routeId) => !currentShares.has(routeId))
  }

  async #findFirst(waiting: WaitingLanes, except: ReadonlySet<string>): Promise<StrandedLane | undefined> {
    const stranded = this.#findStranded(waiting)
    const named = stranded.filter((routeId) => routeId !== '')
    // Read PostgreSQL, not memory: a process that has not read a new route yet would fail its steps.
    const existing = named.length === 0 ? undefined : await findExistingShares(this.#context.database, named)
    for (const lane of lanes) {
      for (const routeId of stranded) {
        const waitFor = existing?.get(routeId)
        if (waitFor === routeId || !waiting.get(routeId)!.has(lane)) continue
        if (!except.has(toLaneKey({ routeId, lane }))) return { routeId, lane, waitFor }
      }
    }
    return undefined
  }

  /** Returns the number of released steps. */
  async #releaseBatch(stranded: StrandedLane): Promise<number> {
    const { database, schedulingSettings } = this.#context
    const { routeId, lane, waitFor } = stranded
    const now = clock.date()
    const strandedAccounts = await this.#findAccounts(stranded)
    if (strandedAccounts.size === 0) return 0
    const waiters = [...strandedAccounts].map((accountId) => ({
      accountId,
      weight: getAccountWeight(schedulingSettings, accountId),
    }))
    const shares = this.#shares[lane].share(waiters, batchSize)
    const steps = await readDueSteps(database, routeId, lane, shares, now, { which: releasable() })
    await releaseWaiting(this.#context, steps, { waitFor })
    const served = Map.groupBy(steps, ({ accountId }) => accountId)
    for (const [accountId, share] of shares)
      if ((served.get(accountId)?.length ?? 0) < share) strandedAccounts.delete(accountId)
    return steps.length
  }

  /**
   * Queries again only when all known accounts are done, because with many accounts it costs more than a
   * batch.
   */
  async #findAccounts({ routeId, lane }: StrandedLane): Promise<Set<number>> {
    const laneKey = toLaneKey({ routeId, lane })
    const knownAccounts = this.#accounts
    if (knownAccounts?.laneKey === laneKey && knownAccounts.left.size > 0) return knownAccounts.left
    const { database, getBlock } = this.#context
    const due = await findDueAccounts(database, routeId, lane, clock.date(), releasable())
    const checkable = new Set(due.filter((accountId) => getBlock(accountId) === undefined))
    this.#accounts = { laneKey, left: checkable }
    return checkable
  }
}

const releasable = (): DueSteps => (clock.agrees ? 'all' : 'unscheduled')

function toLaneKey({ routeId, lane }: Pick<StrandedLane, 'routeId' | 'lane'>): string {
  return `${routeId}/${lane}`
}
