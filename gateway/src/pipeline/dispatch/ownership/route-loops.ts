import type { Lane } from '../../../channels/lane.ts'
import { possibleShareIds } from '../../../jobs/route-share.ts'
import type { Database, Queryable } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { Membership } from '../../../platform/membership/membership.ts'
import { every, type Periodic } from '../../../platform/time/periodic.ts'
import { readDeliveryRates } from '../../../carriers/routes/results.ts'
import type { RouteShare } from '../../../carriers/routes/shares.ts'
import { findLiveShares, type LiveShare } from '../../../carriers/routes/states-table.ts'
import { StatePublisher, type StateSource } from '../../../carriers/routes/state-publisher.ts'
import { getWaitingLanes, type WaitingWatch } from '../../scheduling/waiting-watch.ts'
import { LookupPasses, type QueryableRoute, type PassTimes } from '../lookups/lookup-passes.ts'

/** Interface of a route owner for the periodic work. */
export interface LoopedRoute extends StateSource {
  readonly route: RouteShare
  /** Set until the owners of the route are known to divide its rate in the same way; the share submits nothing before. */
  readonly awaitsAgreement: boolean
  readonly readsDeliveryRate: boolean
  /** Null if this owner does not search for submissions with missing results; the owner of the first share does. */
  readonly queryable: QueryableRoute | null
  /** True if nothing can be submitted for so long that the steps are moved. */
  readonly isBlocked: boolean
  /** Sets the lanes with waiting steps; returns true if a round can release some. */
  updateBacklog(waiting: ReadonlySet<Lane>): boolean
  releaseWaiting(): Promise<void>
  moveAway(): Promise<void>
  updateDeliveryRate(rate: number | null): void
  agree(): void
}

const moveEveryMs = 1_000
const agreeEveryMs = 250
const deliveryRateEveryMs = 10_000
const lookupEveryMs = 5_000
const deliveryRateMinutes = 5
/** Minimum number of recent messages that have ended; below it the rate is null. */
const deliveryRateSample = 50

/** Maximum concurrent rounds of one kind: a backlog on many routes must leave connections to the other stages. */
const maxRounds = 4
/** Longer than an unreachable worker keeps its routes. */
const liveMs = 8_000

export interface RouteLoopsContext {
  readonly database: Database
  readonly membership: Pick<Membership, 'id'>
  readonly waitingWatch: WaitingWatch
  readonly log: Log
  readonly lookups?: { readonly everyMs: number; readonly times: PassTimes }
}

/**
 * Runs the periodic work for all routes that this process owns: one statement publishes their states, one finds their
 * waiting steps, one reads their delivery rates, one finds submissions with missing results, and one reads how the
 * other owners divide the rates. Only routes with waiting steps are released or moved, so a route without work costs no
 * statement.
 */
export class RouteLoops {
  readonly #database: Database
  readonly #routes = new Map<string, LoopedRoute>()
  readonly #publisher: StatePublisher
  readonly #rounds: RoundRunner
  readonly #moves: RoundRunner
  readonly #stopListening: () => Promise<void>
  readonly #periodics: readonly Periodic[]

  constructor({ database, membership, waitingWatch, log, lookups }: RouteLoopsContext) {
    this.#database = database
    this.#publisher = new StatePublisher(database, membership.id, log)
    this.#publisher.start()
    this.#rounds = new RoundRunner('releasing waiting steps', log)
    this.#moves = new RoundRunner('moving steps to other routes', log)
    this.#stopListening = waitingWatch.listen((waiting) => {
      for (const route of this.#routes.values()) {
        if (route.updateBacklog(getWaitingLanes(waiting, route.route.id)))
          this.#rounds.run(route.route.id, () => route.releaseWaiting())
      }
    })
    const passes = new LookupPasses(database, lookups?.times)
    this.#periodics = [
      every(moveEveryMs, 'moving steps to other routes', log, () => {
        for (const route of this.#routes.values())
          if (route.isBlocked) this.#moves.run(route.route.id, () => route.moveAway())
        return Promise.resolve()
      }),
      every(deliveryRateEveryMs, 'reading the delivery rates of routes', log, () =>
        this.#readDeliveryRates(),
      ),
      every(lookups?.everyMs ?? lookupEveryMs, 'searching for submissions without a result', log, () =>
        passes.run([...this.#routes.values()].flatMap(({ queryable }) => queryable ?? [])),
      ),
      every(agreeEveryMs, 'agreeing with the other owners of a route', log, () => this.#agree()),
    ]
  }

  add(route: LoopedRoute): void {
    this.#routes.set(route.route.id, route)
    this.#publisher.add(route.route.id, route)
  }

  /** Resolves when no work for the route is in progress. */
  async remove({ route: { id } }: LoopedRoute): Promise<void> {
    this.#routes.delete(id)
    this.#publisher.remove(id)
    await Promise.all([this.#rounds.settled(id), this.#moves.settled(id)])
  }

  async stop(): Promise<void> {
    await this.#stopListening()
    await Promise.all(this.#periodics.map((periodic) => periodic.stop()))
    await this.#publisher.stop()
  }

  async #readDeliveryRates(): Promise<void> {
    const routes = [...this.#routes.values()].filter(({ readsDeliveryRate }) => readsDeliveryRate)
    if (routes.length === 0) return
    const ids = [...new Set(routes.map(({ route }) => route.routeId))]
    const rates = await readDeliveryRates(this.#database, ids, deliveryRateMinutes, deliveryRateSample)
    for (const route of routes) route.updateDeliveryRate(rates.get(route.route.routeId) ?? null)
  }

  async #agree(): Promise<void> {
    const awaiting = [...this.#routes.values()].filter(({ awaitsAgreement }) => awaitsAgreement)
    if (awaiting.length === 0) return
    // Publish first and read afterwards: of two owners that start at the same time at least one sees the
    // other.
    await this.#publisher.publish()
    const shares = awaiting.map(({ route }) => route)
    const agreed = await findAgreed(this.#database, shares, this.#publisher.owner)
    for (const route of awaiting) if (agreed.has(route.route)) route.agree()
  }
}

/** Runs one round of work per route at a time. A slow or failing round stops no other route. */
class RoundRunner {
  readonly #what: string
  readonly #log: Log
  readonly #running = new Map<string, Promise<void>>()
  /** Rounds that wait for another one to end, in order. */
  readonly #queued = new Map<string, () => Promise<void>>()
  readonly #failing = new Set<string>()

  constructor(what: string, log: Log) {
    this.#what = what
    this.#log = log
  }

  /** Starts a round as soon as possible; does nothing while a round of the route is running. */
  run(routeId: string, round: () => Promise<void>): void {
    if (this.#running.has(routeId)) return
    this.#queued.set(routeId, round)
    this.#startQueued()
  }

  /** Drops the route's queued round and resolves when its current one has ended. */
  async settled(routeId: string): Promise<void> {
    this.#queued.delete(routeId)
    await this.#running.get(routeId)
    this.#failing.delete(routeId)
  }

  #startQueued(): void {
    for (const [routeId, round] of this.#queued) {
      if (this.#running.size >= maxRounds) return
      this.#queued.delete(routeId)
      const running = this.#runOnce(routeId, round).finally(() => {
        this.#running.delete(routeId)
        this.#startQueued()
      })
      this.#running.set(routeId, running)
    }
  }

  async #runOnce(routeId: string, round: () => Promise<void>): Promise<void> {
    try {
      await round()
      this.#failing.delete(routeId)
    } catch (error) {
      if (!this.#failing.has(routeId))
        this.#log.warn({ route: routeId, err: error as Error }, `${this.#what} failed; retrying`)
      this.#failing.add(routeId)
    }
  }
}

/**
 * Returns the shares of the member `owner` that may submit now. This keeps the owners of a route within its
 * rate while the number of owners changes: workers read the change at different times, and one that divides
 * by the new number must not submit while another still uses the old number. An owner first publishes its
 * number of owners, then reads what the others publish, and submits when all live owners have the same
 * number.
 */
async function findAgreed(
  database: Queryable,
  shares: readonly RouteShare[],
  owner: string,
): Promise<ReadonlySet<RouteShare>> {
  const ids = shares.flatMap(({ routeId }) => possibleShareIds(routeId))
  const live = await findLiveShares(database, ids, liveMs)
  const byId = new Map(live.map((state) => [state.shareId, state]))
  return new Set(shares.filter((share) => isAgreed(share, byId, owner)))
}

export function isAgreed(
  { id, routeId, owners }: Pick<RouteShare, 'id' | 'routeId' | 'owners'>,
  live: ReadonlyMap<string, LiveShare>,
  owner: string,
): boolean {
  const state = live.get(id)
  if (state?.owner !== owner) return false
  return possibleShareIds(routeId).every((shareId) => (live.get(shareId)?.owners ?? owners) === owners)
}
