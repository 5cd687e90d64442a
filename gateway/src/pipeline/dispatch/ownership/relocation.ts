/**
 * Takes steps out of a partition's queue whose route, or share of it, does not run: it is disabled or
 * deleted, has fewer owners now, or cannot be started. An unclaimed step goes to another route that serves
 * it. Without one it waits for its route in the waiting table, and fails if the route is deleted; the last
 * step of a message first waits until the routes are read again. A claimed step stays with its route, because
 * the carrier may have it.
 */
import { findCarrierIdFor, getSubmissionUnit } from '../../../carriers/connectors/registry.ts'
import type { RouteJob } from '../../../jobs/jobs.ts'
import { parseShareRoute } from '../../../jobs/route-share.ts'
import type { AttemptRow } from '../../../records/attempts/attempts.ts'
import { parkJob } from '../../../records/parked/park.ts'
import { Batcher } from '../../../platform/database/batcher.ts'
import { retryTransient } from '../../../platform/database/retry.ts'
import { isTransient, classifyError } from '../../../platform/database/transient.ts'
import { readStepStates, type StepClaimResult } from '../../../records/messages/claim.ts'
import { findLastSteps } from '../../../records/messages/last-steps.ts'
import { findExistingShares } from '../../../carriers/routes/queries.ts'
import { decidePlacement } from '../../scheduling/place.ts'
import { releasePlaced } from '../../scheduling/release.ts'
import { createFailedStepHandler } from '../failed-step-handler.ts'
import { resolveOutsideRoute } from '../step/resolve.ts'
import { toParts } from '../step/submission.ts'
import type { OwnerContext } from './owner.ts'

interface LeavingStep {
  readonly job: RouteJob
  /** Share that the step was released to. */
  readonly routeId: string
}

export interface Relocation {
  /**
   * Resolves when the next location of the step is durable. Rejects if interrupted; the job then returns to
   * its queue. A step that can never be placed is parked.
   */
  relocate(leaving: LeavingStep, signal: AbortSignal): Promise<void>
}

const bulk = { maxItems: 200, concurrency: 2, scopeOf: classifyError }

export function createRelocation(context: OwnerContext): Relocation {
  const { database, topology, broker, log } = context
  const { publisher } = broker

  const moves = new Batcher<LeavingStep, 'unclaimed' | Exclude<StepClaimResult, 'claimed'>>(
    bulk,
    async (batch) => {
      const states = await readStepStates(
        database,
        batch.map(({ job }) => job),
      )
      // Read PostgreSQL, not memory: a process that has not read a new route yet would fail its steps.
      const existing = await findExistingShares(database, [...new Set(batch.map(({ routeId }) => routeId))])
      const leaving = batch.filter((_, index) => states[index] === 'unclaimed')
      const unrouted = leaving.filter(({ routeId }) => !existing.has(routeId)).map(({ job }) => job)
      const last = await findLastSteps(database, unrouted)
      const placed = leaving.map(({ job, routeId }) => {
        const waitFor = existing.get(routeId)
        const stay = waitFor === undefined ? { isLast: last.has(job.msgKey) } : { waitFor }
        return { job, placement: decidePlacement(context, job, { avoid: routeId, ...stay }) }
      })
      await releasePlaced({ database, topology, publisher }, placed)
      return states
    },
  )

  async function move({ job: jobWithClaim, ...leaving }: LeavingStep, signal: AbortSignal): Promise<void> {
    const { routeId } = leaving
    const job = await context.attemptWriter.returnPreviousClaim(jobWithClaim, signal)
    const retry = { what: 'moving steps of a route that does not run', log, signal }
    const state = await retryTransient(() => moves.add({ ...leaving, job }), retry)
    if (state === 'unclaimed') return
    const route = context.router.findShare(parseShareRoute(routeId))
    const ports = {
      attempts: {
        routeId: parseShareRoute(routeId),
        carrierIdFor: route === undefined ? undefined : findCarrierIdFor(route.protocol, route.options),
      },
      record: (_: RouteJob, rows: readonly AttemptRow[]) => context.attemptWriter.record(rows, signal),
      ...createFailedStepHandler({ ...context, routeId, signal, log: log.child({ route: routeId }) }),
    }
    // The kind of a deleted route is unknown. If no outcome is recorded, one unknown outcome for the whole message
    // matches any of its receipts. Otherwise parts are assumed, because most routes submit parts.
    const unit =
      route === undefined && state === 'unanswered'
        ? 'message'
        : getSubmissionUnit(route?.protocol ?? '', route?.options ?? {})
    await resolveOutsideRoute(ports, job, { result: state, parts: toParts(job, unit) })
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
