/**
 * Takes steps out of a partition's queue whose route or share of a route does not run: it is disabled or deleted, has
 * fewer owners now, or cannot be started. An unclaimed step goes to another route that serves it. Without one it waits for
 * its route in the waiting table, and fails when the route is deleted; the last step of a message first waits until the
 * routes are read again. A claimed step stays with its route, because the carrier may have it. Resolves when the next place
 * of the step is durable.
 */
import { findCarrierIdFor, takesOf } from '../../connectors/registry.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import { routeOfShare } from '../../jobs/route-share.ts'
import type { AttemptRow } from '../../records/attempts/attempts.ts'
import { parkJob } from '../../records/parked/park.ts'
import { Batcher } from '../../platform/batcher.ts'
import { retryTransient } from '../../platform/retry.ts'
import { isTransient, scopeOf } from '../../platform/transient.ts'
import { readStepStates, type ClaimResult } from '../../records/messages/claim.ts'
import { findLastSteps } from '../../records/messages/last-steps.ts'
import { findExistingShares } from '../../routes/queries.ts'
import { place } from '../scheduling/place.ts'
import { releasePlaced } from '../scheduling/release.ts'
import { createDisposition } from './disposition.ts'
import { resolveOutsideRoute } from './step/resolve.ts'
import { toParts } from './step/submission.ts'
import type { OwnerContext } from './owner.ts'

interface Leaving {
  readonly job: RouteJob
  /** The share that it was released to. */
  readonly routeId: string
}

export interface Relocation {
  /** Rejects when it is interrupted; the job then returns to its queue. A step that can never be placed is parked. */
  relocate(leaving: Leaving, signal: AbortSignal): Promise<void>
}

const bulk = { maxItems: 200, concurrency: 2, scopeOf }

export function createRelocation(context: OwnerContext): Relocation {
  const { database, topology, broker, log } = context
  const { publisher } = broker

  const moves = new Batcher<Leaving, 'unclaimed' | Exclude<ClaimResult, 'claimed'>>(bulk, async (batch) => {
    const states = await readStepStates(
      database,
      batch.map(({ job }) => job),
    )
    // Not from memory: a process that has not read a new route yet would fail its steps.
    const existing = await findExistingShares(database, [...new Set(batch.map(({ routeId }) => routeId))])
    const leaving = batch.filter((_, index) => states[index] === 'unclaimed')
    const unrouted = leaving.filter(({ routeId }) => !existing.has(routeId)).map(({ job }) => job)
    const last = await findLastSteps(database, unrouted)
    const placed = leaving.map(({ job, routeId }) => {
      const waitFor = existing.get(routeId)
      const stay = waitFor === undefined ? { isLast: last.has(job.msgKey) } : { waitFor }
      return { job, placement: place(context, job, { avoid: routeId, ...stay }) }
    })
    await releasePlaced({ database, topology, publisher }, placed)
    return states
  })

  async function move({ job: named, ...leaving }: Leaving, signal: AbortSignal): Promise<void> {
    const { routeId } = leaving
    const job = await context.attemptWriter.withoutClaim(named, signal)
    const retry = { what: 'moving steps of a route that does not run', log, signal }
    const state = await retryTransient(() => moves.add({ ...leaving, job }), retry)
    if (state === 'unclaimed') return
    const route = context.router.routeOf(routeOfShare(routeId))
    const ports = {
      attempts: {
        routeId: routeOfShare(routeId),
        carrierIdFor: route === undefined ? undefined : findCarrierIdFor(route.protocol, route.options),
      },
      record: (_: RouteJob, rows: readonly AttemptRow[]) => context.attemptWriter.record(rows, signal),
      ...createDisposition({ ...context, routeId, signal, log: log.child({ route: routeId }) }),
    }
    // Of a deleted route the kind is not known: one unknown answer for the whole message matches any receipt of it. Parts
    // with an answer show that it took parts, mostly.
    const takes =
      route === undefined && state === 'unanswered'
        ? 'message'
        : takesOf(route?.protocol ?? '', route?.options ?? {})
    await resolveOutsideRoute(ports, job, { result: state, parts: toParts(job, takes) })
  }

  return {
    async relocate(leaving, signal) {
      try {
        await move(leaving, signal)
      } catch (error) {
        if (signal.aborted || isTransient(error)) throw error
        await parkJob(context, 'dispatch', leaving.job, error as Error)
      }
    },
  }
}
