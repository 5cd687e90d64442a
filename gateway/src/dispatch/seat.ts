/**
 * This process's place at one route: it competes for the route's baton, and while it holds it, keeps the link
 * to the carrier and runs the route's queue. Losing the baton stops both, so a route never has two owners.
 */
import { createConnector } from '../connectors/registry.ts'
import type { Connector, Receipt } from '../connectors/connector.ts'
import { findRefusals, type Refusal } from '../messages/attempts.ts'
import type { StepKey } from '../messages/claim.ts'
import type { RouteJob, VerdictJob } from '../messages/jobs.ts'
import type { Broker } from '../platform/broker/broker.ts'
import type { Baton } from '../platform/broker/baton.ts'
import type { Consumption } from '../platform/broker/consume.ts'
import type { Topology } from '../platform/broker/topology.ts'
import { isTransient, type Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { untilDone } from '../platform/retry.ts'
import type { Route } from '../routes/route.ts'
import type { Books } from './books.ts'
import { Link } from './link.ts'
import { RouteRunner } from './runner.ts'

export interface SeatContext {
  readonly broker: Broker
  readonly topology: Topology
  readonly database: Database
  readonly books: Books
  readonly onReceipt: (routeId: string, receipt: Receipt) => Promise<void>
  readonly metrics: Metrics
  readonly log: Log
}

interface Running {
  readonly connector: Connector
  readonly lane: Consumption
  readonly stopping: AbortController
}

/**
 * Groups of jobs in hand. At a modest load a group is one message, and it stays unacknowledged until its slowest
 * job ends: with fewer than two windows of them the carrier's window could not be filled.
 */
const prefetchWindows = 2

export class Seat {
  readonly route: Route
  readonly #context: SeatContext
  readonly #log: Log
  readonly #baton: Baton
  #running: Running | undefined
  /** Starting and stopping follow each other, however fast ownership comes and goes. */
  #turn: Promise<void> = Promise.resolve()

  constructor(route: Route, context: SeatContext) {
    this.route = route
    this.#context = context
    this.#log = context.log.child({ route: route.id })
    this.#baton = context.broker.holdBaton(context.topology.baton(route.id), {
      onOwn: () => this.#next(() => this.#start()),
      onLose: () => this.#next(() => this.#stop()),
    })
  }

  /** Owned and able to take work; a route owned elsewhere does not count against this process. */
  get healthy(): boolean {
    return !this.#baton.owned || (this.#running?.lane.active ?? false)
  }

  async close(): Promise<void> {
    this.#next(() => this.#stop())
    await this.#turn
    await this.#baton.release()
    await this.#turn
  }

  #next(step: () => Promise<void> | void): void {
    this.#turn = this.#turn.then(step).catch((error: unknown) => {
      this.#log.error({ err: error as Error }, 'the route cannot run; correct it with `postern route put`')
    })
  }

  #start(): void {
    if (this.#running !== undefined || !this.#baton.owned) return
    const { broker, topology, books, metrics } = this.#context
    const link = new Link()
    const stopping = new AbortController()
    const connector = createConnector(this.route.protocol, this.route.options, {
      onReceipt: (receipt) => this.#context.onReceipt(this.route.id, receipt),
      onLink: (up, reason) => {
        link.set(up)
        metrics.linked.set({ route: this.route.id }, up ? 1 : 0)
        if (up) this.#log.info({}, 'carrier linked')
        else this.#log.warn({ reason }, 'carrier link lost')
      },
      log: this.#log,
    })
    const runner = new RouteRunner({
      route: this.route,
      connector,
      link,
      books,
      metrics,
      conclude: (key, refused) => this.#conclude(key, refused, stopping.signal),
      concludeAgain: (key) => this.#concludeAgain(key, stopping.signal),
      signal: stopping.signal,
    })
    connector.start()
    const lane = broker.consume(
      topology.lane(this.route.id, 'normal'),
      { prefetch: prefetchWindows * connector.window },
      async ({ jobs }) => {
        const carried = await Promise.allSettled(
          (jobs as RouteJob[]).map((job) => this.#carryOrPark(runner, job)),
        )
        const failed = carried.find((result) => result.status === 'rejected')
        if (failed !== undefined) throw failed.reason as Error
      },
    )
    this.#running = { connector, lane, stopping }
    this.#log.info({}, 'this process owns the route')
  }

  /** A job that no runner can carry, whoever owns the route, must not come back for ever. */
  async #carryOrPark(runner: RouteRunner, job: RouteJob): Promise<void> {
    try {
      await runner.run(job)
    } catch (error) {
      if (isTransient(error)) throw error
      const { broker, topology, metrics } = this.#context
      metrics.parked.inc({ stage: 'dispatch' })
      this.#log.error(
        { err: error as Error, message: job.msgKey },
        'cannot be submitted; parked for an operator',
      )
      await broker.publisher.send(topology.parked, JSON.stringify({ stage: 'dispatch', job }))
    }
  }

  async #stop(): Promise<void> {
    if (this.#running === undefined) return
    const { connector, lane, stopping } = this.#running
    this.#running = undefined
    stopping.abort(new Error('the route is stopping'))
    await lane.stop()
    await connector.stop()
    this.#context.metrics.linked.set({ route: this.route.id }, 0)
    this.#log.info({}, 'this process no longer owns the route')
  }

  async #conclude(key: StepKey, refused: Refusal, signal: AbortSignal): Promise<void> {
    const verdict: VerdictJob = {
      v: 1,
      kind: 'verdict',
      msgKey: key.msgKey,
      step: key.step,
      try: key.try,
      cause: refused.cause ?? 'refused',
      parts: refused.parts,
      at: refused.submittedAt.getTime(),
    }
    const { broker, topology } = this.#context
    await untilDone(() => broker.publisher.send(topology.receipts, JSON.stringify(verdict)), {
      what: 'handing on a refusal',
      log: this.#log,
      signal,
    })
  }

  async #concludeAgain(key: StepKey, signal: AbortSignal): Promise<void> {
    const refusals = await untilDone(() => findRefusals(this.#context.database, [key]), {
      what: 'looking for refusals',
      log: this.#log,
      signal,
    })
    for (const refused of refusals) await this.#conclude(key, refused, signal)
  }
}
