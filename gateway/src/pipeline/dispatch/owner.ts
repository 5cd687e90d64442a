/**
 * The owner of a route: keeps the link to the carrier, runs the steps released to the route, releases waiting steps as
 * capacity becomes free, publishes the route's state, and moves steps to other routes while the carrier is unreachable.
 * The owner of a partition starts and stops the owners of its routes and passes them their steps. A route that is divided
 * into shares has one owner per share.
 */
import { weightOf } from '../../accounts/scheduling-settings.ts'
import type { Connector, ConnectorContext, Receipt } from '../../connectors/connector.ts'
import { createConnectorFrom, takesOf } from '../../connectors/registry.ts'
import type { Reply } from '../../connectors/reply.ts'
import type { SendToSettle } from '../../jobs/send-to-settle.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import type { MessageTrace } from '../../jobs/message-trace.ts'
import { lanes, type Lane } from '../../channels/lane.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import type { Topology } from '../../jobs/queues.ts'
import type { Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { retryWhileRunning } from '../../platform/retry.ts'
import { settlesWithin } from '../../platform/settles-within.ts'
import { enterState } from '../../platform/transitions.ts'
import type { PlaceContext } from '../scheduling/place.ts'
import { publishStep } from '../scheduling/release.ts'
import type { WaitingWatch } from '../scheduling/waiting-watch.ts'
import { digestLogin } from '../../routes/logins.ts'
import { metricLabels, siblingsOf, type RouteShare } from '../../routes/shares.ts'
import type { CurrentState } from '../../routes/state-publisher.ts'
import type { Policy } from '../../trust/policy.ts'
import type { AttemptWriter } from './attempt-writer.ts'
import { hasOtherRoute, MovePass, moveWaiting, type MoveWaitingContext } from '../scheduling/move-waiting.ts'
import { BacklogReleaser, type MinWaits } from '../scheduling/backlog-releaser.ts'
import { Credentials, type LinkOptions } from './credentials.ts'
import type { AskingRoute } from './lookup-passes.ts'
import { Lookups } from './lookups.ts'
import { RouteRunner } from './runner.ts'
import { laneDepth } from './queue-depth.ts'
import { partsBefore, QueueWait } from './queue-wait.ts'
import { describeState } from './route-state.ts'
import { ThroughputWindow } from './adaptive-rate.ts'
import type { LoopedRoute, RouteLoops } from './route-loops.ts'
import { createDisposition, type ReleaseStep } from './disposition.ts'

/** The states of an owner. `readState` evaluates every second whether it submits. */
const transitions = {
  /** Parts are submitted to the carrier. */
  submitting: ['blocked', 'stopping'],
  /** Nothing can be submitted. Steps are moved to other routes when it lasts. */
  blocked: ['submitting', 'stopping'],
  stopping: [],
} as const

/** Why nothing can be submitted: the first of these that applies. */
type Obstacle = 'closed by an operator' | 'no agreement on shares' | 'no link' | 'open breaker' | 'long pause'

type OwnerState =
  | { readonly name: 'submitting' | 'stopping' }
  | { readonly name: 'blocked'; readonly since: number; readonly obstacle: Obstacle }

export interface OwnerContext extends PlaceContext {
  readonly broker: Broker
  readonly topology: Topology
  readonly database: Database
  readonly attemptWriter: AttemptWriter
  readonly policy: Pick<Policy, 'judgeSubmission' | 'placedAgainAt' | 'originOf'>
  /** False while this process cannot reach PostgreSQL: it leaves its routes to other processes. */
  readonly isEligible: () => boolean
  readonly waitingWatch: WaitingWatch
  readonly sendToSettle: SendToSettle
  readonly releaseStep: ReleaseStep
  readonly onReceipt: (routeId: string, receipt: Receipt, login?: string) => Promise<void>
  /** Absent: replies are dropped, as in tests. */
  readonly onReply?: (route: RouteShare, reply: Reply, login?: string) => Promise<void>
  readonly openFile: ConnectorContext['openFile']
  readonly metrics: Metrics
  readonly trace?: MessageTrace | undefined
  readonly log: Log
  /** See `LookupsContext`. */
  readonly lookupDelaysMs?: readonly number[]
}

/** With the periodic work, which all owners of this process share. */
export interface LoopedOwnerContext extends OwnerContext {
  readonly loops: RouteLoops
}

/**
 * How long a stop waits for claimed steps before the link is closed, and then for open submissions. Later steps return
 * their claim; a submission without an answer is unknown.
 */
const alone = { drainMs: 10_000, linkMs: 10_000 }
/** The other routes of the partition have closed their links and wait for the next owner. */
const handOver = { drainMs: 4_000, linkMs: 0 }
/**
 * While PostgreSQL is unreachable no answer can be recorded, and another process binds 2 s after this one has noticed it.
 */
const cutOff = { drainMs: 1_000, linkMs: 0 }
/** How long a stop waits for answers to be recorded and for periodic tasks to end; a silent statement fails before that. */
const abandonMs = 20_000

/** A shorter pause is ordinary rate control, whatever the route's time of failover. */
const minLongPauseMs = 2_000

export interface RouteOwnerOptions {
  readonly link: LinkOptions
  /** Parts of each lane that the partition allows in its queue. */
  readonly maxDepth: () => number
}

export class RouteOwner implements LoopedRoute {
  #route: RouteShare
  readonly #context: LoopedOwnerContext
  readonly log: Log
  /** What moving and releasing steps needs. */
  readonly #release: MoveWaitingContext
  readonly #movePass = new MovePass()
  readonly #queueWait = new QueueWait()
  readonly #stopping = new AbortController()
  readonly #connector: Connector
  readonly #credentials: Credentials
  readonly #runner: RouteRunner
  readonly #lookups: Lookups
  readonly #releaser: BacklogReleaser
  readonly #maxDepth: () => number
  #linked = false
  /** Why it is not linked, for operators. */
  #linkReason: string | null = null
  #agreed: boolean
  #state: OwnerState = { name: 'blocked', since: performance.now(), obstacle: 'no link' }
  #deliveryRate: number | null = null
  readonly #arrivals = new ThroughputWindow()
  /** The rate in the metrics, null when there is no bound. */
  #shownRate: number | null | undefined

  constructor(route: RouteShare, context: LoopedOwnerContext, log: Log, options: RouteOwnerOptions) {
    this.#route = route
    this.#maxDepth = options.maxDepth
    // Also the only owner: another process may not have read yet that the route has no other shares.
    this.#agreed = route.partsPerSecond === 0
    this.#context = context
    this.log = log
    this.#release = { ...context, publisher: context.broker.publisher, routeId: route.id }
    const { link } = options
    const login = digestLogin({ protocol: route.protocol, options: link.values })
    this.#credentials = new Credentials(link, log)
    const onReceipt = (receipt: Receipt): Promise<void> => context.onReceipt(route.routeId, receipt, login)
    this.#connector = createConnectorFrom(route.protocol, link.values, {
      onReceipt,
      ...(context.onReply === undefined ? {} : { onReply: (reply) => context.onReply!(route, reply, login) }),
      onLink: (up, reason) => this.#onLink(up, reason),
      onLinkFailure: (reason) => {
        // Of one of several sessions, while others are up.
        if (!this.#linked) this.#linkReason = reason
      },
      onEvent: (event) => context.metrics.connectorEvents.inc({ route: route.routeId, event }),
      openFile: context.openFile,
      isFirstOwner: this.#isFirst,
      log,
    })
    this.#lookups = new Lookups({
      route,
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
      connector: this.#connector,
      takes: takesOf(route.protocol, link.values),
      attemptWriter: context.attemptWriter,
      policy: context.policy,
      weightOf: (accountId) => weightOf(context.schedulingSettings, accountId),
      carrierOf: (to) => context.router.carrierOf(to),
      isEligible: context.isEligible,
      metrics: context.metrics,
      trace: context.trace,
      onRecorded: (job, rows) => this.#lookups.watch(job, rows),
      ...createDisposition({
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
      siblings: { ids: siblingsOf(route), states: context.states },
      judge: (job) => context.policy.judgeSubmission(job, this.#route),
    })
    if (route.traffic !== 'open') this.#close()
    this.#connector.start()
    context.loops.add(this)
    log.info({}, 'this process owns the route')
  }

  get route(): RouteShare {
    return this.#route
  }

  /** The first share of a route has its id. */
  get #isFirst(): boolean {
    return this.#route.id === this.#route.routeId
  }

  get stopping(): boolean {
    return this.#state.name === 'stopping'
  }

  /** A secret in a file has changed: the route must be started again with these options. */
  readChangedLink(): LinkOptions | undefined {
    return this.#credentials.readChanged()
  }

  /** Called after every change of the routes. Applies settings that do not change the link. */
  update(route: RouteShare): void {
    const { traffic, partsPerSecond } = this.#route
    this.#route = route
    this.#movePass.restart()
    if (route.partsPerSecond !== partsPerSecond) this.#changeRate(partsPerSecond)
    if (route.traffic === traffic) return
    if (route.traffic === 'open') this.#runner.reopen()
    else this.#close()
    this.log.info({ traffic: route.traffic }, 'an operator has changed what the route may do')
  }

  #changeRate(before: number): void {
    // Without a rate it has never asked whether the other owners divide it as this one does.
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
   * Gives up what another owner needs first: the link, after claimed steps had their chance to be submitted. What waits for
   * PostgreSQL comes last and is abandoned after a limit: an owner that is cut off from PostgreSQL must not keep its route
   * for as long as the cut lasts. A step that is abandoned is returned to the queue when its statement fails, and its
   * claim decides what the next owner may do.
   */
  async stop(withPartition = false): Promise<void> {
    this.#enter({ name: 'stopping' })
    this.#stopping.abort(new Error('the route is stopping'))
    const tasks = this.#context.loops.remove(this)
    const drained = this.#runner.drained()
    const limits = !this.#context.isEligible() ? cutOff : withPartition ? handOver : alone
    await settlesWithin(limits.drainMs, drained)
    await this.#connector.stop(limits.linkMs)
    if (!(await settlesWithin(abandonMs, Promise.all([drained, tasks])))) {
      this.log.warn(
        {},
        'PostgreSQL or the broker does not answer; the route is left to another process before its last steps are recorded here',
      )
    }
    // Removed rather than set to 0: another process may hold the link by now.
    this.#context.metrics.linked.remove(metricLabels(this.#route))
    this.#context.metrics.routeRate.remove(metricLabels(this.#route))
    this.log.info({}, 'this process no longer owns the route')
  }

  /**
   * Resolves when the step needs this route no more; rejects when the route is stopping or the step fails. `signal`: of its
   * delivery, see `holdOverdue`.
   */
  run(lane: Lane, job: RouteJob, signal: AbortSignal): Promise<void> {
    this.#releaser.arrived(job)
    this.#arrivals.add(1)
    return this.#runner.run(lane, job, signal)
  }

  /** Moves steps whose delivery was held for too long to the waiting table, so that their deliveries are acknowledged. */
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
    const { value, throughput } = this.#runner.rate
    return Math.min(this.#maxDepth(), laneDepth(value, throughput)) - this.#runner.waiting(lane)
  }

  #minWaits(lane: Lane): MinWaits | undefined {
    if (!this.#queueWait.isKnown) return undefined
    const parts = this.#runner.waitingOf(lane)
    this.#releaser.addInTransit(lane, parts)
    const before = partsBefore(parts, (accountId) => weightOf(this.#context.schedulingSettings, accountId))
    return (accountId) => this.#queueWait.minMs(before.get(accountId) ?? 0)
  }

  get asking(): AskingRoute | null {
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

  readState(): CurrentState {
    this.#runner.updateAdmission()
    this.#evaluate()
    const breaker = this.#runner.breaker.state
    const isSubmitting = this.#state.name === 'submitting'
    const isBusy =
      isSubmitting && breaker === 'closed' && lanes.some((lane) => this.#releaser.hasBacklog(lane))
    const { rate, pauseMs } = this.#runner
    this.#queueWait.sample(isBusy, rate.throughput, performance.now(), pauseMs > 0)
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
      freeCapacity: (lane) => this.#freeCapacity(lane),
      arrivals: this.#arrivals.perSecond,
      queued: lanes.reduce((sum, lane) => sum + this.#runner.waiting(lane), 0),
    })
    if (state.rate !== this.#shownRate)
      this.#context.metrics.routeRate.set(metricLabels(this.#route), state.rate ?? 0)
    this.#shownRate = state.rate
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
    // A carrier that asks for a longer pause than messages are to wait is as good as unreachable.
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
        'the carrier throttles and asks for a pause; messages of the route take others',
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
    // A link often returns after a moment; steps are moved when it does not. One that is drained does not return.
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
        'the carrier is unreachable; steps were moved to other routes. Check the link to the carrier',
      )
  }

  updateDeliveryRate(rate: number | null): void {
    this.#deliveryRate = rate
  }
}
