/**
 * The periodic work for all routes that this process owns: one statement publishes their states, one finds their waiting
 * steps, one reads their delivery rates. Only routes with waiting steps are released or moved, so a route without work
 * costs no statement. Started by dispatch; owners of routes join and leave.
 */
import type { Lane } from '../../channels/lane.ts'
import type { Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Membership } from '../../platform/membership/membership.ts'
import { every, type Periodic } from '../../platform/periodic.ts'
import { readDeliveryRates } from '../../routes/results.ts'
import type { RouteShare } from '../../routes/shares.ts'
import { StatePublisher, type CurrentState } from '../../routes/state-publisher.ts'
import { lanesOf, type WaitingWatch } from '../scheduling/waiting-watch.ts'
import { RoundRunner } from './round-runner.ts'
import { findAgreed } from './share-agreement.ts'

/** What the loops need of the owner of a route. */
export interface LoopedRoute {
  readonly route: RouteShare
  /** It submits nothing until the other owners of its route divide the rate as it does. */
  readonly awaitsAgreement: boolean
  readonly readsDeliveryRate: boolean
  /** Nothing can be submitted, and has not been for so long that its steps are moved. */
  readonly isBlocked: boolean
  readState(): CurrentState
  /** Reports the lanes on which steps wait; true when a round can release some. */
  updateBacklog(waiting: ReadonlySet<Lane>): boolean
  releaseWaiting(): Promise<void>
  moveAway(): Promise<void>
  updateDeliveryRate(rate: number | null): void
  agree(): void
}

const moveEveryMs = 1_000
const agreeEveryMs = 250
const deliveryRateEveryMs = 10_000
const deliveryRateMinutes = 5
/** Null while fewer of the route's recent messages have ended. */
const deliveryRateSample = 50

export interface RouteLoopsContext {
  readonly database: Database
  readonly membership: Pick<Membership, 'id'>
  readonly waitingWatch: WaitingWatch
  readonly log: Log
}

export class RouteLoops {
  readonly #database: Database
  readonly #routes = new Map<string, LoopedRoute>()
  readonly #publisher: StatePublisher
  readonly #rounds: RoundRunner
  readonly #moves: RoundRunner
  readonly #stopListening: () => Promise<void>
  readonly #periodics: readonly Periodic[]

  constructor({ database, membership, waitingWatch, log }: RouteLoopsContext) {
    this.#database = database
    this.#publisher = new StatePublisher(database, membership.id, log)
    this.#publisher.start()
    this.#rounds = new RoundRunner('releasing waiting steps', log)
    this.#moves = new RoundRunner('moving steps to other routes', log)
    this.#stopListening = waitingWatch.listen((waiting) => {
      for (const route of this.#routes.values()) {
        if (route.updateBacklog(lanesOf(waiting, route.route.id)))
          this.#rounds.run(route.route.id, () => route.releaseWaiting())
      }
    })
    this.#periodics = [
      every(moveEveryMs, 'moving steps to other routes', log, () => {
        for (const route of this.#routes.values())
          if (route.isBlocked) this.#moves.run(route.route.id, () => route.moveAway())
        return Promise.resolve()
      }),
      every(deliveryRateEveryMs, 'reading the delivery rates of routes', log, () =>
        this.#readDeliveryRates(),
      ),
      every(agreeEveryMs, 'agreeing with the other owners of a route', log, () => this.#agree()),
    ]
  }

  add(route: LoopedRoute): void {
    this.#routes.set(route.route.id, route)
    this.#publisher.add(route.route.id, () => route.readState())
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
    // Published first and read afterwards: of two owners that start at the same time at least one sees the other.
    await this.#publisher.publish()
    const shares = awaiting.map(({ route }) => route)
    const agreed = await findAgreed(this.#database, shares, this.#publisher.owner)
    for (const route of awaiting) if (agreed.has(route.route)) route.agree()
  }
}
