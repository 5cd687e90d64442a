/**
 * The upgrade from the layout of previous versions, which had a queue per route and lane: empties those queues into the
 * partitions and deletes them, so that no step is lost. One process of all does it, under a lease, while `route_queues`
 * has rows. A queue that a worker of the previous version consumes is left to it until that worker is gone. Called by
 * `startDispatch`.
 */
import { lanes } from '../../channels/lane.ts'
import { parkJob } from '../../records/parked/park.ts'
import { readRouteJob } from '../../jobs/read.ts'
import type { Consumption } from '../../platform/broker/consume.ts'
import { Lease } from '../../platform/lease.ts'
import { every, type Periodic } from '../../platform/periodic.ts'
import { findRouteQueues, removeRouteQueues } from '../../routes/queues.ts'
import type { OwnerContext } from './owner.ts'
import type { Relocation } from './relocation.ts'

export interface PreviousQueuesOptions {
  /** The queues of a route are deleted when no job has arrived for this long. */
  readonly quietMs?: number
  readonly lookEveryMs?: number
}

const intervalMs = 1_000
const leaseMs = 6_000
/** The broker closes the connection of a process that is stopped for 12 s: after this long it publishes nothing more. */
const defaultQuietMs = 30_000
/** Routes at a time: three AMQP channels each. */
const maxConsumed = 50
const prefetch = 8

interface Draining {
  readonly consumptions: readonly Consumption[]
  lastJobAt: number
}

export function drainPreviousQueues(
  context: OwnerContext & { readonly relocation: Relocation },
  { quietMs = defaultQuietMs, lookEveryMs = 30_000 }: PreviousQueuesOptions = {},
): Periodic {
  const { database, broker, topology, log } = context
  const lease = new Lease(database, { name: 'previous queues', durationMs: leaseMs })
  const stopping = new AbortController()
  const draining = new Map<string, Draining>()
  let lookAt = 0

  function consume(routeId: string): Draining {
    const state: Draining = {
      lastJobAt: performance.now(),
      consumptions: lanes.map((lane) =>
        broker.consume(topology.previousLane(routeId, lane), { prefetch }, async ({ jobs }) => {
          state.lastJobAt = performance.now()
          const results = await Promise.allSettled(jobs.map((job) => moveOrPark(routeId, job)))
          const failed = results.find((result) => result.status === 'rejected')
          if (failed !== undefined) throw failed.reason as Error
        }),
      ),
    }
    return state
  }

  async function moveOrPark(routeId: string, candidate: unknown): Promise<void> {
    const read = readRouteJob(candidate)
    if (!read.ok) return parkJob(context, 'dispatch', candidate, read.reason)
    return context.relocation.relocate({ job: read.job, routeId, avoid: false }, stopping.signal)
  }

  async function stop(routeId: string): Promise<void> {
    const state = draining.get(routeId)
    draining.delete(routeId)
    await Promise.all(state?.consumptions.map((consumption) => consumption.stop()) ?? [])
  }

  async function removeIfQuiet(routeId: string, state: Draining): Promise<void> {
    if (!state.consumptions.every(({ active }) => active)) state.lastJobAt = performance.now()
    if (performance.now() - state.lastJobAt < quietMs) return
    await stop(routeId)
    await removeRouteQueues(database, routeId, async () => {
      for (const queue of lanes.map((lane) => topology.previousLane(routeId, lane))) {
        const { ready, consumers } = await broker.count(queue)
        if (ready > 0 || consumers > 0)
          throw new Error(`queue ${queue.name} is in use by a worker of the previous version; looking again`)
        await broker.remove(queue)
      }
      await broker.remove(topology.previousOwner(routeId))
    })
    log.info(
      { route: routeId },
      'the queues that the previous version had for the route are empty and deleted',
    )
  }

  async function round(): Promise<void> {
    if (draining.size === 0 && performance.now() < lookAt) return
    const mayWork = context.isEligible() && (await lease.hold().catch(() => false))
    const found = mayWork ? await findRouteQueues(database) : []
    lookAt = performance.now() + lookEveryMs
    await Promise.all([...draining.keys()].filter((id) => !found.includes(id)).map(stop))
    for (const id of found)
      if (!draining.has(id) && draining.size < maxConsumed) draining.set(id, consume(id))
    const results = await Promise.allSettled([...draining].map(([id, state]) => removeIfQuiet(id, state)))
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason as Error
  }

  const rounds = every(intervalMs, 'emptying the queues of the previous version', log, round)
  return {
    async stop() {
      stopping.abort(new Error('the worker is stopping'))
      await rounds.stop()
      await Promise.all([...draining.keys()].map(stop))
      await lease.release().catch((error: unknown) => {
        log.debug({ err: error as Error }, 'cannot give up the lease of the previous queues; it expires')
      })
    },
  }
}
