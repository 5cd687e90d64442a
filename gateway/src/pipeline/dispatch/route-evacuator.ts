/**
 * Empties the queues of a route that is disabled or deleted, without a link to its carrier. Every job that no owner has
 * claimed goes to another route that serves it. Without one, a step of a disabled route waits for it in the waiting
 * table, and a step of a deleted route fails. A step that was claimed stays with this route, because the carrier may have
 * it. A job is acknowledged after its next place is durable. Called by `startEvacuation`.
 */
import { channels } from '../../channels/registry.ts'
import { lanes } from '../../channels/lane.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import { parkJob } from '../../records/parked/park.ts'
import { readRouteJob } from '../../jobs/read.ts'
import type { Consumption } from '../../platform/broker/consume.ts'
import type { Log } from '../../platform/log.ts'
import { retryTransient } from '../../platform/retry.ts'
import { isTransient } from '../../platform/transient.ts'
import { readStepStates } from '../../records/messages/claim.ts'
import { place } from '../scheduling/place.ts'
import { releasePlaced } from '../scheduling/release.ts'
import { createDisposition } from './disposition.ts'
import { resolveInterrupted, type InterruptedClaimContext } from './interrupted-claim.ts'
import type { OwnerContext } from './owner.ts'

/** Groups of jobs in work at a time, per lane. */
const prefetch = 8

export class RouteEvacuator {
  readonly #routeId: string
  /** True while the route is disabled, false when it is deleted. */
  readonly #exists: () => boolean
  readonly #context: OwnerContext
  readonly #log: Log
  readonly #stopping = new AbortController()
  readonly #claims: InterruptedClaimContext
  readonly #lanes: readonly Consumption[]
  #lastJobAt = performance.now()
  #moved = 0

  constructor(routeId: string, exists: () => boolean, context: OwnerContext) {
    this.#routeId = routeId
    this.#exists = exists
    this.#context = context
    this.#log = context.log.child({ route: routeId })
    const { signal } = this.#stopping
    const { publisher } = context.broker
    this.#claims = {
      route: { id: routeId },
      attemptWriter: context.attemptWriter,
      ...createDisposition({ ...context, publisher, routeId, signal, log: this.#log }),
      signal,
    }
    this.#lanes = lanes.map((lane) =>
      context.broker.consume(context.topology.lane(routeId, lane), { prefetch }, ({ jobs }) =>
        this.#evacuate(jobs),
      ),
    )
  }

  /** How long no job has arrived while the queues were consumed. */
  get quietMs(): number {
    if (!this.#lanes.every(({ active }) => active)) this.#lastJobAt = performance.now()
    return performance.now() - this.#lastJobAt
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the evacuation of the route is stopping'))
    await Promise.all(this.#lanes.map((lane) => lane.stop()))
    if (this.#moved > 0)
      this.#log.info({ moved: this.#moved }, 'jobs were moved out of the queues of the route')
  }

  async #evacuate(candidates: readonly unknown[]): Promise<void> {
    this.#lastJobAt = performance.now()
    const jobs: RouteJob[] = []
    for (const candidate of candidates) {
      const read = readRouteJob(candidate)
      if (read.ok) jobs.push(read.job)
      else await this.#park(candidate, read.reason)
    }
    await this.#moveOrPark(jobs)
    this.#lastJobAt = performance.now()
  }

  /** A job that can never be moved must not keep the others in the queue. */
  async #moveOrPark(jobs: readonly RouteJob[]): Promise<void> {
    const { signal } = this.#stopping
    try {
      await retryTransient(() => this.#move(jobs), { what: 'evacuating a route', log: this.#log, signal })
    } catch (error) {
      if (signal.aborted || isTransient(error)) throw error
      if (jobs.length === 1) await this.#park(jobs[0], error as Error)
      else for (const job of jobs) await this.#moveOrPark([job])
    }
  }

  async #move(jobs: readonly RouteJob[]): Promise<void> {
    const { database, topology, broker } = this.#context
    const states = await readStepStates(database, jobs)
    const placed = jobs.flatMap((job, index) => {
      if (states[index] !== 'released') return []
      const stay = this.#exists() ? { waitFor: this.#routeId } : {}
      return [{ job, placement: place(this.#context, job, { avoid: this.#routeId, ...stay }) }]
    })
    await releasePlaced({ database, topology, publisher: broker.publisher }, placed)
    this.#moved += placed.length
    for (const [index, job] of jobs.entries()) {
      const state = states[index]!
      if (state === 'released') continue
      const parts = channels[job.content.channel].parts(job.content, job.msgKey)
      await resolveInterrupted(this.#claims, job, state, parts)
    }
  }

  #park(job: unknown, cause: Error | string): Promise<void> {
    return parkJob({ ...this.#context, log: this.#log }, 'dispatch', job, cause)
  }
}
