/**
 * Substitute for a route that this process owns but cannot start, for example because a secret is missing.
 * The route is treated like one whose link is down: its state shows that, and after a while its waiting steps
 * move to other routes.
 */
import type { Lane } from '../../../channels/lane.ts'
import type { Log } from '../../../platform/logging/log.ts'
import { metricLabels, type RouteShare } from '../../../carriers/routes/shares.ts'
import type { CurrentState } from '../../../carriers/routes/state-publisher.ts'
import { MovePass, moveWaiting, type MoveWaitingContext } from '../../scheduling/move-waiting.ts'
import type { LoopedOwnerContext } from './owner.ts'
import type { LoopedRoute } from './route-loops.ts'

export class UnlinkedRoute implements LoopedRoute {
  #route: RouteShare
  readonly #context: LoopedOwnerContext
  readonly #log: Log
  readonly #move: MoveWaitingContext
  readonly #movePass = new MovePass()
  readonly #since = performance.now()
  #waiting: ReadonlySet<Lane> = new Set()
  readonly awaitsAgreement = false
  readonly readsDeliveryRate = false
  readonly queryable = null
  readonly isIdle = true

  constructor(route: RouteShare, context: LoopedOwnerContext, log: Log) {
    this.#route = route
    this.#context = context
    this.#log = log
    this.#move = { ...context, publisher: context.broker.publisher, routeId: route.id }
    context.metrics.linked.set(metricLabels(route), 0)
    context.loops.add(this)
  }

  get route(): RouteShare {
    return this.#route
  }

  update(route: RouteShare): void {
    if (route === this.#route) return
    const { linked } = this.#context.metrics
    linked.remove(metricLabels(this.#route))
    linked.set(metricLabels(route), 0)
    this.#route = route
    this.#movePass.restart()
  }

  /** Resolves when no step is being moved. */
  async stop(): Promise<void> {
    this.#context.metrics.linked.remove(metricLabels(this.#route))
    await this.#context.loops.remove(this)
  }

  get isBlocked(): boolean {
    return performance.now() - this.#since >= this.#route.failoverAfterSeconds * 1000
  }

  readState(): CurrentState {
    const { id, owners } = this.#route
    return {
      routeId: id,
      owners,
      linked: false,
      linkReason:
        'the route cannot be started, for example because a secret is missing; see the log of its worker',
      breaker: 'closed',
      capacity: { urgent: 0, normal: 0, bulk: 0 },
      rate: null,
      throttledShare: 0,
      deliveryRate: null,
      received: 0,
      arrivals: 0,
      submitted: 0,
      queued: 0,
    }
  }

  updateBacklog(waiting: ReadonlySet<Lane>): boolean {
    this.#waiting = waiting
    return false
  }

  async moveAway(): Promise<void> {
    const { moved } = await moveWaiting(this.#move, this.#movePass, [...this.#waiting])
    if (moved > 0)
      this.#log.warn(
        { moved },
        'the route cannot be started; steps that waited for it were moved to other routes',
      )
  }

  releaseWaiting(): Promise<void> {
    return Promise.resolve()
  }

  updateDeliveryRate(): void {
    // An unlinked route reads no delivery rate.
  }

  agree(): void {
    // An unlinked route submits nothing.
  }
}
