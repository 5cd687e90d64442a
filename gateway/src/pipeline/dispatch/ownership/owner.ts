import { getAccountWeight } from '../../../identity/accounts/scheduling-settings.ts'
import type { Connector, ConnectorContext, Receipt } from '../../../carriers/connectors/connector.ts'
import { createConnectorFrom, getSubmissionUnit } from '../../../carriers/connectors/registry.ts'
import type { Reply } from '../../../carriers/connectors/reply.ts'
import type { SendToSettle } from '../../../jobs/send-to-settle.ts'
import type { RouteJob } from '../../../jobs/jobs.ts'
import type { MessageTrace } from '../../../jobs/message-trace.ts'
import { lanes, type Lane } from '../../../channels/lane.ts'
import type { Broker } from '../../../platform/broker/broker.ts'
import type { Topology } from '../../../jobs/queues.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import { retryWhileRunning } from '../../../platform/database/retry.ts'
import { settleOrTimeout } from '../../../platform/time/settle-or-timeout.ts'
import { enterState } from '../../../platform/transitions.ts'
import type { PlacementContext } from '../../scheduling/place.ts'
import { publishStep } from '../../scheduling/release.ts'
import type { WaitingWatch } from '../../scheduling/waiting-watch.ts'
import { digestLogin } from '../../../carriers/routes/logins.ts'
import { metricLabels, listSiblingIds, type RouteShare } from '../../../carriers/routes/shares.ts'
import type { CurrentState } from '../../../carriers/routes/state-publisher.ts'
import type { Policy } from '../../../trust/policy.ts'
import type { AttemptWriter } from '../runner/attempt-writer.ts'
import {
  hasOtherRoute,
  MovePass,
  moveWaiting,
  type MoveWaitingContext,
} from '../../scheduling/move-waiting.ts'
import { BacklogReleaser, type MinWaits } from '../../scheduling/backlog-releaser.ts'
import { CredentialWatch, type RouteLinkOptions } from '../credentials.ts'
import type { QueryableRoute } from '../lookups/lookup-passes.ts'
import { Lookups } from '../lookups/lookups.ts'
import { RouteRunner } from '../runner/runner.ts'
import { laneDepth } from '../queue/queue-depth.ts'
import { countPartsAhead, QueueWait } from '../queue/queue-wait.ts'
import { describeState } from './route-state.ts'
import { ThroughputWindow } from '../rate/adaptive-rate.ts'
import type { LoopedRoute, RouteLoops } from './route-loops.ts'
import { createFailedStepHandler, type ReleaseStep } from '../failed-step-handler.ts'

/** States of an owner. Every `readState`, several times per second, evaluates whether it submits. */
const transitions = {
  /** Parts are submitted to the carrier. */
  submitting: ['blocked', 'stopping'],
  /** Nothing can be submitted. Steps are moved to other routes if this lasts. */
  blocked: ['submitting', 'stopping'],
  stopping: [],
} as const

/** Reason why nothing can be submitted; the first that applies. */
type Obstacle = 'closed by an operator' | 'no agreement on shares' | 'no link' | 'open breaker' | 'long pause'

type OwnerState =
  | { readonly name: 'submitting' | 'stopping' }
  | { readonly name: 'blocked'; readonly since: number; readonly obstacle: Obstacle }

export interface OwnerContext extends PlacementContext {
  readonly broker: Broker
  readonly topology: Topology
  readonly database: Database
  readonly attemptWriter: AttemptWriter
  readonly policy: Pick<Policy, 'checkSubmission' | 'getReplacementTime' | 'getOrigin'>
  /**
   * Returns false while this process cannot reach PostgreSQL, and so leaves its routes to other processes.
   */
  readonly isEligible: () => boolean
  readonly waitingWatch: WaitingWatch
  readonly sendToSettle: SendToSettle
  readonly releaseStep: ReleaseStep
  readonly onReceipt: (routeId: string, receipt: Receipt, login?: string) => Promise<void>
  /** Replies are dropped if undefined, as in tests. */
  readonly onReply?: (route: RouteShare, reply: Reply, login?: string) => Promise<void>
  readonly openFile: ConnectorContext['openFile']
  readonly metrics: Metrics
  readonly trace?: MessageTrace | undefined
  readonly log: Log
  /** See `LookupsContext`. */
  readonly lookupDelaysMs?: readonly number[]
}

/** Context with the periodic work, which all owners of this process share. */
export interface LoopedOwnerContext extends OwnerContext {
  readonly loops: RouteLoops
}

/**
 * Maximum waits of a stop: for claimed steps before the link is closed, then for open submissions. Later
 * steps return their claim; a submission without a response is unknown.
 */
const singleStop = { drainMs: 10_000, linkMs: 10_000 }
/**
 * Waits of a stop with the whole partition: its other routes have closed their links and wait for the next
 * owner.
 */
const partitionStop = { drainMs: 4_000, linkMs: 0 }
/**
 * Waits without PostgreSQL: no response can be recorded, and another process binds 2 s after this one has
 * noticed the outage.
 */
const isolatedStop = { drainMs: 1_000, linkMs: 0 }
/**
 * Maximum wait of a stop for responses to be recorded and periodic tasks to end; a hanging statement fails
 * before that.
 */
const abandonMs = 20_000

/** Every claim stores these characters of the login's digest: 24 bits, which are enough to notice another login. */
const claimLoginLength = 4

/** A shorter pause is normal rate control, whatever the route's failover time. */
const minLongPauseMs = 2_000

export interface RouteOwnerOptions {
  readonly link: RouteLinkOptions
  /** Returns how many parts of each lane the partition allows in the route's queue. */
  readonly maxDepth: () => number
}

/**
 * Owns a route: keeps the link to the carrier, runs the steps released to the route, releases waiting steps as capacity
 * becomes free, publishes the route's state, and moves steps to other routes while the carrier is unreachable. The owner
 * of a partition starts and stops the owners of its routes and passes them their steps. A route that is divided into
 * shares has one owner per share.
 */
export class RouteOwner implements LoopedRoute {
  #route: RouteShare
  readonly #context: LoopedOwnerContext
  readonly log: Log
  /** Context for moving and releasing steps. */
  readonly #release: MoveWaitingContext
  readonly #movePass = new MovePass()
  readonly #queueWait = new QueueWait()
  readonly #stopping = new AbortController()
  readonly #connector: Connector
  readonly #credentials: CredentialWatch
  readonly #runner: RouteRunner
  readonly #lookups: Lookups
  readonly #releaser: BacklogReleaser
  readonly #maxDepth: () => number
  #linked = false
  /** Reason for operators why there is no link. */
  #linkReason: string | null = null
  #agreed: boolean
  #state: OwnerState = { name: 'blocked', since: performance.now(), obstacle: 'no link' }
  #deliveryRate: number | null = null
  readonly #arrivals = new ThroughputWindow()
  /** Rate in the metrics; null if there is no limit. */
  #metricRate: number | null | undefined

  constructor(route: RouteShare, context: LoopedOwnerContext, log: Log, options: RouteOwnerOptions) {
    this.#route = route
    this.#maxDepth = options.maxDepth
    // Even the only owner must agree: another process perhaps has not read yet that the route has no other
    // shares.
    this.#agreed = route.partsPerSecond === 0
    this.#context = context
    this.log = log
    this.#release = { ...context, publisher: context.broker.publisher, routeId: route.id }
    const { link } = options
    const login = digestLogin({ protocol: route.protocol, options: link.values })
    this.#credentials = new CredentialWatch(link, log)
    const onReceipt = (receipt: Receipt): Promise<void> => context.onReceipt(route.routeId, receipt, login)
    this.#connector = createConnectorFrom(route.protocol, link.values, {
      onReceipt,
      ...(context.onReply === undefined ? {} : { onReply: (reply) => context.onReply!(route, reply, login) }),
      onLink: (up, reason) => this.#onLink(up, reason),
      onLinkFailure: (reason) => {
        // Ignore failures of one session while others are up.
        if (!this.#linked) this.#linkReason = reason
      },
      onEvent: (event) => context.metrics.connectorEvents.inc({ route: route.routeId, event }),
      openFile: context.openFile,
      isFirstOwner: this.#isFirst,
      log,
    })
    const claimLogin = login?.slice(0, claimLoginLength)
    this.#lookups = new Lookups({
      route,
      login: claimLogin,
      connector: this.#connector,
      onReceipt,
      record: (rows) => context.attemptWriter.record(rows, this.#stopping.signal),
      metrics: context.metrics,
      log,
      signal: this.#stopping.signal,
      delaysMs: context.lookupDelaysMs,
    })
    this.#runner = new RouteRunner({
      route,
      login: claimLogin,
      connector: this.#connector,
      submissionUnit: getSubmissionUnit(route.protocol, link.values),
      attemptWriter: context.attemptWriter,
      policy: context.policy,
      getWeight: (accountId) => getAccountWeight(context.schedulingSettings, accountId),
      findCarrier: (to) => context.router.findCarrier(to),
      isEligible: context.isEligible,
      metrics: context.metrics,
      trace: context.trace,
      onRecorded: (job, rows) => this.#lookups.watch(job, rows),
      ...createFailedStepHandler({
        ...this.#release,
        sendToSettle: context.sendToSettle,
        releaseStep: context.releaseStep,
        signal: this.#stopping.signal,
        log,
      }),
      passOn: (job) =>
        retryWhileRunning(() => publishStep(this.#release, route.id, job.lane, job), {
          what: 'publishing a step that is not submitted',
          log,
        }),
      signal: this.#stopping.signal,
    })
    this.#releaser = new BacklogReleaser({
      ...this.#release,
      freeCapacity: (lane) => this.#freeCapacity(lane),
      minWaits: (lane) => this.#minWaits(lane),
      siblings: { ids: listSiblingIds(route), states: context.states },
      checkRules: (job) => context.policy.checkSubmission(job, this.#route),
    })
    if (route.traffic !== 'open') this.#close()
    this.#connector.start()
    context.loops.add(this)
    log.info({}, 'this process owns the route')
  }

  get route(): RouteShare {
    return this.#route
  }

  /** Reports whether this is the first share of the route, which has its id. */
  get #isFirst(): boolean {
    return this.#route.id === this.#route.routeId
  }

  get stopping(): boolean {
    return this.#state.name === 'stopping'
  }

  /** Returns the options to restart the route with if a secret in a file has changed. */
  readChangedLink(): RouteLinkOptions | undefined {
    return this.#credentials.readChanged()
  }

  /** Applies settings that do not change the link; must be called after every change of the routes. */
  update(route: RouteShare): void {
    const { traffic, partsPerSecond } = this.#route
    this.#route = route
    this.#movePass.restart()
    if (route.partsPerSecond !== partsPerSecond) this.#changeRate(partsPerSecond)
    if (route.traffic === traffic) return
    if (route.traffic === 'open') this.#runner.reopen()
    else this.#close()
    this.log.info({ traffic: route.traffic }, 'an operator changed the traffic of the route')
  }

  #changeRate(before: number): void {
    // While the route had no rate, this owner did not check whether the other owners divide it in the same way.
    if (before === 0) {
      this.#agreed = false
      this.#runner.linked = false
    }
    this.#runner.changeRate(this.#route)
  }

  #close(): void {
    this.#runner.close((job) => hasOtherRoute(this.#release, job))
  }

  /**
   * Releases first what the next owner needs: the link, after claimed steps had a chance to be submitted.
   * Work that waits for PostgreSQL comes last and is abandoned after a limit, because an owner that is cut
   * off from PostgreSQL must not keep its route for the whole outage. An abandoned step returns to the queue
   * when its statement fails, and its claim decides what the next owner may do.
   */
  async stop(withPartition = false): Promise<void> {
    this.#enter({ name: 'stopping' })
    this.#stopping.abort(new Error('the route is stopping'))
    const tasks = this.#context.loops.remove(this)
    const drained = this.#runner.drained()
    const limits = !this.#context.isEligible() ? isolatedStop : withPartition ? partitionStop : singleStop
    await settleOrTimeout(limits.drainMs, drained)
    this.#runner.stop()
    await this.#connector.stop(limits.linkMs)
    if (!(await settleOrTimeout(abandonMs, Promise.all([drained, tasks])))) {
      this.log.warn(
        {},
        'PostgreSQL or the broker does not respond; the route is left to another process before its last steps are recorded here',
      )
    }
    // Remove the series; 0 would be wrong if another process holds the link by now.
    this.#context.metrics.linked.remove(metricLabels(this.#route))
    this.#context.metrics.routeRate.remove(metricLabels(this.#route))
    this.log.info({}, 'this process no longer owns the route')
  }

  /**
   * Resolves when the step no longer needs this route; rejects when the route is stopping or the step fails. `signal`
   * is that of its broker delivery, see `holdOverdue`.
   */
  run(lane: Lane, job: RouteJob, signal: AbortSignal): Promise<void> {
    this.#releaser.recordArrival(job)
    this.#arrivals.add(1)
    return this.#runner.run(lane, job, signal)
  }

  /**
   * Takes steps out of memory whose broker delivery was held too long, so that it is acknowledged: they go to the waiting
   * table, and the remaining parts of a message become `unknown`.
   */
  holdOverdue(): void {
    const held = this.#runner.holdOverdue()
    if (held > 0)
      this.log.warn(
        { held },
        'steps could not be submitted for minutes and wait in PostgreSQL; check the link to the carrier',
      )
  }

  #onLink(up: boolean, reason: string): void {
    this.#context.metrics.linked.set(metricLabels(this.#route), up ? 1 : 0)
    this.#linked = up
    this.#linkReason = up ? null : reason
    this.#runner.linked = up && this.#agreed
    if (up) this.log.info({}, 'carrier linked')
    else this.log.warn({ reason }, 'carrier link lost; reconnecting, the messages of the route wait')
  }

  #freeCapacity(lane: Lane): number {
    return this.#laneDepth() - this.#runner.waiting(lane)
  }

  /** Returns the number of parts that may wait in a lane of the queue. */
  #laneDepth(): number {
    const { value, throughput } = this.#runner.rate
    return Math.min(this.#maxDepth(), laneDepth(value, throughput))
  }

  #minWaits(lane: Lane): MinWaits | undefined {
    if (!this.#queueWait.isKnown) return undefined
    const parts = this.#runner.waitingByAccount(lane)
    this.#releaser.addInTransit(lane, parts)
    const before = countPartsAhead(parts, (accountId) =>
      getAccountWeight(this.#context.schedulingSettings, accountId),
    )
    return (accountId) => this.#queueWait.minMs(before.get(accountId) ?? 0)
  }

  get queryable(): QueryableRoute | null {
    return this.#isFirst ? this.#lookups : null
  }

  get awaitsAgreement(): boolean {
    return !this.#agreed
  }

  agree(): void {
    this.#agreed = true
    this.#runner.linked = this.#linked
  }

  get readsDeliveryRate(): boolean {
    return this.#route.minDeliveryRate !== null
  }

  get isIdle(): boolean {
    const isEmpty = this.#runner.isIdle && this.#arrivals.perSecond === 0 && this.#arrivals.count === 0
    return isEmpty && this.#linked && this.#state.name === 'submitting' && !this.#releaser.hasAnyBacklog
  }

  /** Updates the state to the current time and returns it. */
  readState(): CurrentState {
    this.#runner.updateAdmission()
    this.#evaluate()
    const breaker = this.#runner.breaker.state
    const isSubmitting = this.#state.name === 'submitting'
    const isBusy =
      isSubmitting && breaker === 'closed' && lanes.some((lane) => this.#releaser.hasBacklog(lane))
    const { rate, pauseMs } = this.#runner
    this.#queueWait.sample(isBusy, rate.throughput, performance.now(), pauseMs > 0)
    const depth = this.#laneDepth()
    const state = describeState({
      routeId: this.#route.id,
      owners: this.#route.owners,
      linked: this.#linked && this.#agreed,
      linkReason: this.#linkReason,
      breaker,
      deliveryRate: this.#deliveryRate,
      blocked: !isSubmitting,
      rate,
      releaser: this.#releaser,
      freeCapacity: (lane) => depth - this.#runner.waiting(lane),
      arrivals: this.#arrivals.perSecond,
      queued: lanes.reduce((sum, lane) => sum + this.#runner.waiting(lane), 0),
    })
    if (state.rate !== this.#metricRate)
      this.#context.metrics.routeRate.set(metricLabels(this.#route), state.rate ?? 0)
    this.#metricRate = state.rate
    return state
  }

  #evaluate(): void {
    if (this.#state.name === 'stopping') return
    const obstacle = this.#findObstacle()
    if (obstacle === null) this.#unblock()
    else this.#block(obstacle)
  }

  #findObstacle(): Obstacle | null {
    const { traffic, failoverAfterSeconds } = this.#route
    if (traffic !== 'open') return 'closed by an operator'
    if (!this.#agreed) return 'no agreement on shares'
    if (!this.#linked) return 'no link'
    if (this.#runner.breaker.state === 'open') return 'open breaker'
    // A carrier that requests a longer pause than messages are to wait counts as unreachable.
    const isLong = this.#runner.pauseMs > Math.max(minLongPauseMs, failoverAfterSeconds * 1000)
    return isLong ? 'long pause' : null
  }

  #block(obstacle: Obstacle): void {
    const before = this.#state
    if (before.name === 'blocked' && before.obstacle === obstacle) return
    if (before.name === 'blocked') this.#state = { ...before, obstacle }
    else this.#enter({ name: 'blocked', since: performance.now(), obstacle })
    if (obstacle === 'long pause')
      this.log.warn(
        { pauseMs: this.#runner.pauseMs },
        'the carrier throttles and requests a long pause; messages of the route take other routes or wait',
      )
  }

  #unblock(): void {
    if (this.#state.name === 'submitting') return
    this.#enter({ name: 'submitting' })
    this.#movePass.restart()
  }

  #enter(state: OwnerState): void {
    enterState(transitions, this.#state.name, state.name)
    this.#state = state
  }

  updateBacklog(waiting: ReadonlySet<Lane>): boolean {
    this.#releaser.backlog = waiting
    return waiting.size > 0 && this.#state.name === 'submitting'
  }

  async releaseWaiting(): Promise<void> {
    await this.#releaser.round()
  }

  get isBlocked(): boolean {
    if (this.#state.name !== 'blocked') return false
    // A link often returns after a moment, so wait before steps are moved. A drained route does not return.
    const { traffic, failoverAfterSeconds } = this.#route
    const afterMs = traffic === 'draining' ? 0 : failoverAfterSeconds * 1000
    return performance.now() - this.#state.since >= afterMs
  }

  async moveAway(): Promise<void> {
    const inMemory = this.#runner.moveElsewhere((job) => hasOtherRoute(this.#release, job))
    const waiting = lanes.filter((lane) => this.#releaser.hasBacklog(lane))
    const moved = inMemory + (await moveWaiting(this.#release, this.#movePass, waiting)).moved
    if (moved === 0) return
    if (this.#route.traffic !== 'open')
      this.log.info({ moved }, 'an operator has closed the route; steps were moved to other routes')
    else
      this.log.warn(
        { moved },
        'nothing can be submitted over the route; steps were moved to other routes. Check it with `postern route list`',
      )
  }

  updateDeliveryRate(rate: number | null): void {
    this.#deliveryRate = rate
  }
}
