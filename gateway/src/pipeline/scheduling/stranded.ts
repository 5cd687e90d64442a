/**
 * Releases due steps that no route's owner will: no route was chosen yet (scheduled messages, retries, owed steps), the
 * route is deleted, or it has fewer owners now. The urgent lane goes first, then normal, then bulk, and within a lane the
 * accounts take turns by weight: a million advertisements that are due at the same minute as a one-time code do not delay
 * it. While the host's clock and PostgreSQL's disagree, scheduled messages keep waiting, because a message that is sent
 * early cannot be revoked.
 */
import { weightOf, type SchedulingSettingsTable } from '../../accounts/scheduling-settings.ts'
import { lanes, type Lane } from '../../channels/lane.ts'
import { clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import {
  type DueSteps,
  findDueAccounts,
  findWaitingLanes,
  type WaitingLanes,
} from '../../records/waiting/find-waiting.ts'
import { readDueSteps } from '../../records/waiting/read-waiting.ts'
import { findExistingShares } from '../../routes/queries.ts'
import type { Route } from '../../routes/route.ts'
import { shareIdsOf } from '../../routes/shares.ts'
import { createFairShares } from './fair-shares.ts'
import { releaseWaiting, type ReleaseWaitingContext } from './release-waiting.ts'

export interface StrandedContext extends ReleaseWaitingContext {
  readonly database: Database
  readonly routes: { readonly value: readonly Pick<Route, 'id' | 'owners'>[] }
  readonly schedulingSettings: SchedulingSettingsTable
}

/** Small, so that an urgent step that becomes due waits for one batch only. */
const batchSize = 500

/** A lane of a route id that is empty, or that of a share without an owner. */
interface StrandedLane {
  readonly routeId: string
  readonly lane: Lane
  /** If the route exists, the share for which its steps wait when no route can be chosen. */
  readonly waitFor?: string | undefined
}

export class StrandedSteps {
  readonly #context: StrandedContext
  readonly #shares = createFairShares()
  /** The accounts of the lane that is being released, except those that were found to have no due steps. */
  #accounts: { readonly lane: string; readonly left: Set<number> } | undefined

  constructor(context: StrandedContext) {
    this.#context = context
  }

  /** Reports whether there are such steps among those that wait. */
  isAmong(waiting: WaitingLanes): boolean {
    return this.#findStranded(waiting).length > 0
  }

  /** Releases all that are due, in batches. Calls `mayContinue` before each batch. */
  async release(mayContinue: () => Promise<boolean>): Promise<void> {
    const empty = new Set<string>()
    // While the broker accepts nothing, a batch would be found again and again.
    while (this.#context.publisher.canPublish && (await mayContinue())) {
      const first = await this.#findFirst(await findWaitingLanes(this.#context.database), empty)
      if (first === undefined) return
      if ((await this.#releaseBatch(first)) === 0) empty.add(nameOf(first))
    }
  }

  /** Returns the route ids that are no share of a route that this process knows. */
  #findStranded(waiting: WaitingLanes): string[] {
    const known = new Set(shareIdsOf(this.#context.routes.value))
    return [...waiting.keys()].filter((routeId) => !known.has(routeId))
  }

  async #findFirst(waiting: WaitingLanes, except: ReadonlySet<string>): Promise<StrandedLane | undefined> {
    const stranded = this.#findStranded(waiting)
    const named = stranded.filter((routeId) => routeId !== '')
    // Not from memory: a process that has not read a new route yet would fail its steps.
    const existing = named.length === 0 ? undefined : await findExistingShares(this.#context.database, named)
    for (const lane of lanes) {
      for (const routeId of stranded) {
        const waitFor = existing?.get(routeId)
        if (waitFor === routeId || !waiting.get(routeId)!.has(lane)) continue
        if (!except.has(nameOf({ routeId, lane }))) return { routeId, lane, waitFor }
      }
    }
    return undefined
  }

  /** Returns how many steps were released. */
  async #releaseBatch(stranded: StrandedLane): Promise<number> {
    const { database, schedulingSettings } = this.#context
    const { routeId, lane, waitFor } = stranded
    const now = clock.date()
    const left = await this.#findAccounts(stranded)
    if (left.size === 0) return 0
    const waiters = [...left].map((accountId) => ({
      accountId,
      weight: weightOf(schedulingSettings, accountId),
    }))
    const shares = this.#shares[lane].share(waiters, batchSize)
    const steps = await readDueSteps(database, routeId, lane, shares, now, { which: releasable() })
    await releaseWaiting(this.#context, steps, { waitFor })
    const served = Map.groupBy(steps, ({ accountId }) => accountId)
    for (const [accountId, share] of shares)
      if ((served.get(accountId)?.length ?? 0) < share) left.delete(accountId)
    return steps.length
  }

  /** Queries again only when all known accounts are done: with many accounts it costs more than a batch. */
  async #findAccounts({ routeId, lane }: StrandedLane): Promise<Set<number>> {
    const name = nameOf({ routeId, lane })
    const known = this.#accounts
    if (known?.lane === name && known.left.size > 0) return known.left
    const { database, stopOf } = this.#context
    const due = await findDueAccounts(database, routeId, lane, clock.date(), releasable())
    const left = new Set(due.filter((accountId) => stopOf(accountId) === undefined))
    this.#accounts = { lane: name, left }
    return left
  }
}

const releasable = (): DueSteps => (clock.agrees ? 'all' : 'unscheduled')

function nameOf({ routeId, lane }: Pick<StrandedLane, 'routeId' | 'lane'>): string {
  return `${routeId}/${lane}`
}
