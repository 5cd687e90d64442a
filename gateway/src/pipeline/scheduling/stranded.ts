/**
 * Releases due steps that no route's owner will: no route was chosen yet (scheduled messages, retries, owed steps), the
 * route is deleted, or it has fewer owners now. The urgent lane goes first, then normal, then bulk, and within a lane the
 * accounts take turns by weight: a million advertisements that are due at the same minute as a one-time code do not delay
 * it. While the host's clock and PostgreSQL's disagree, scheduled messages keep waiting: one that is sent early cannot be
 * taken back. Used by the outbox.
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
import { FairShares } from './fair-shares.ts'
import { releaseWaiting, type ReleaseWaitingContext } from './release-waiting.ts'

export interface StrandedContext extends ReleaseWaitingContext {
  readonly database: Database
  readonly routes: { readonly value: readonly Pick<Route, 'id' | 'owners'>[] }
  readonly schedulingSettings: SchedulingSettingsTable
}

/** Small, so that an urgent step that becomes due waits for one batch only. */
const batchSize = 500

/** Steps that wait under one id in one lane. The id is empty, or of a share that has no owner. */
interface Place {
  readonly routeId: string
  /** Of a route that exists: the share for which its steps wait when no route can be chosen. */
  readonly waitFor?: string
  readonly lane: Lane
}

export class StrandedSteps {
  readonly #context: StrandedContext
  readonly #shares: Readonly<Record<Lane, FairShares>> = {
    urgent: new FairShares(),
    normal: new FairShares(),
    bulk: new FairShares(),
  }
  /** Accounts of the place that is being released; those without due steps are dropped as they are found. */
  #accounts: { readonly place: string; readonly left: Set<number> } | undefined

  constructor(context: StrandedContext) {
    this.#context = context
  }

  /** Whether there are such steps among those that wait. */
  isAmong(waiting: WaitingLanes): boolean {
    return this.#findStranded(waiting).length > 0
  }

  /** Releases all that are due, in batches. It asks `mayContinue` before each of them. */
  async release(mayContinue: () => Promise<boolean>): Promise<void> {
    const empty = new Set<string>()
    // While the broker accepts nothing, a batch would be found again and again.
    while (this.#context.publisher.canPublish && (await mayContinue())) {
      const place = await this.#first(await findWaitingLanes(this.#context.database), empty)
      if (place === undefined) return
      if ((await this.#releaseBatch(place)) === 0) empty.add(nameOf(place))
    }
  }

  /** Ids of which this process knows no share. */
  #findStranded(waiting: WaitingLanes): string[] {
    const known = new Set(shareIdsOf(this.#context.routes.value))
    return [...waiting.keys()].filter((routeId) => !known.has(routeId))
  }

  /** The first place in the order of lanes. */
  async #first(waiting: WaitingLanes, except: ReadonlySet<string>): Promise<Place | undefined> {
    const stranded = this.#findStranded(waiting)
    const named = stranded.filter((routeId) => routeId !== '')
    // Not from memory: a process that has not read a new route yet would fail its steps.
    const existing = named.length === 0 ? undefined : await findExistingShares(this.#context.database, named)
    for (const lane of lanes) {
      for (const routeId of stranded) {
        const waitFor = existing?.get(routeId)
        if (waitFor === routeId || !waiting.get(routeId)!.has(lane)) continue
        if (!except.has(nameOf({ routeId, lane })))
          return { routeId, lane, ...(waitFor === undefined ? {} : { waitFor }) }
      }
    }
    return undefined
  }

  /** Returns how many steps were released. */
  async #releaseBatch(place: Place): Promise<number> {
    const { database, schedulingSettings } = this.#context
    const { routeId, lane, waitFor } = place
    const now = clock.date()
    const left = await this.#accountsOf(place)
    if (left.size === 0) return 0
    const waiters = [...left].map((accountId) => ({
      accountId,
      weight: weightOf(schedulingSettings, accountId),
    }))
    const shares = this.#shares[lane].share(waiters, batchSize)
    const steps = await readDueSteps(database, routeId, lane, shares, now, { which: releasable() })
    await releaseWaiting(this.#context, steps, waitFor === undefined ? {} : { waitFor })
    const served = Map.groupBy(steps, ({ accountId }) => accountId)
    for (const [accountId, share] of shares)
      if ((served.get(accountId)?.length ?? 0) < share) left.delete(accountId)
    return steps.length
  }

  /** Found again when all of them are done: with many accounts it costs more than a batch. */
  async #accountsOf(place: Place): Promise<Set<number>> {
    const known = this.#accounts
    if (known?.place === nameOf(place) && known.left.size > 0) return known.left
    const { database, stopOf } = this.#context
    const due = await findDueAccounts(database, place.routeId, place.lane, clock.date(), releasable())
    const left = new Set(due.filter((accountId) => stopOf(accountId) === undefined))
    this.#accounts = { place: nameOf(place), left }
    return left
  }
}

const releasable = (): DueSteps => (clock.agrees ? 'all' : 'unscheduled')

function nameOf({ routeId, lane }: Pick<Place, 'routeId' | 'lane'>): string {
  return `${routeId}/${lane}`
}
