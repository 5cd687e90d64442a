/**
 * Places the remaining parts of a message whose route, or share of it, does not run. The carrier has the
 * other parts, so no other route may take them: they wait for their route, go to another share of it, or fail
 * when the route is deleted.
 */
import type { RouteJob } from '../../../jobs/jobs.ts'
import { parseShareRoute } from '../../../jobs/route-share.ts'
import { clock } from '../../../platform/time/clock.ts'
import { retryTransient } from '../../../platform/database/retry.ts'
import { isTransient } from '../../../platform/database/transient.ts'
import type { AttemptRow } from '../../../records/attempts/attempts.ts'
import { createClaim } from '../../../records/messages/claim.ts'
import { parkJob } from '../../../records/parked/park.ts'
import { findExistingShares } from '../../../carriers/routes/queries.ts'
import { publishStep } from '../../scheduling/release.ts'
import { createFailedStepHandler } from '../failed-step-handler.ts'
import { resolveOutsideRoute } from '../step/resolve.ts'
import { toAttempt } from '../step/outcomes.ts'
import type { OwnerContext } from './owner.ts'
import { toParts, type SubmittedPart } from '../step/submission.ts'

export type RemainingPartsJob = RouteJob & { readonly rest: NonNullable<RouteJob['rest']> }

/**
 * Resolves to `waits` if the parts wait for their route, and to `done` if they were placed, have failed or have expired, or
 * the job was parked because it can never be placed. Rejects if interrupted; the job then returns to its queue.
 */
export async function placeRemainingParts(
  context: OwnerContext,
  routeId: string,
  job: RemainingPartsJob,
  signal: AbortSignal,
): Promise<'waits' | 'done'> {
  try {
    return await place(context, routeId, job, signal)
  } catch (error) {
    if (signal.aborted || isTransient(error)) throw error
    await parkJob(context, 'dispatch', job, error as Error)
    return 'done'
  }
}

async function place(
  context: OwnerContext,
  routeId: string,
  job: RemainingPartsJob,
  signal: AbortSignal,
): Promise<'waits' | 'done'> {
  // Settle ends the step at its deadline, so nothing is placed.
  if (clock.hasPassed(job.dueAt)) return 'done'
  const share = context.router.findShare(routeId)?.id ?? (await findShare(context, routeId, signal))
  if (share === routeId) return 'waits'
  if (share === undefined) await fail(context, routeId, job, signal)
  else await requeueStep(context, share, job, signal)
  return 'done'
}

/** Reads PostgreSQL, because a process that has not read a new route yet would fail its steps. */
async function findShare(
  { database, log }: OwnerContext,
  routeId: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const retry = { what: 'looking for the route of a step', log, signal }
  return (await retryTransient(() => findExistingShares(database, [routeId]), retry)).get(routeId)
}

/** Publishes a step to the queue of a share. */
export function requeueStep(
  context: OwnerContext,
  share: string,
  job: RouteJob,
  signal: AbortSignal,
): Promise<void> {
  const { topology, broker, log } = context
  const retry = { what: 'publishing a step that is not submitted', log, signal }
  return retryTransient(
    () => publishStep({ topology, publisher: broker.publisher }, share, job.lane, job),
    retry,
  )
}

const routeDeleted = {
  kind: 'refused',
  cause: 'no-route',
  code: 'route-deleted',
  text: 'the route was deleted before the part was submitted',
} as const

function listRemainingParts(job: RemainingPartsJob): SubmittedPart[] {
  const { length: parts } = toParts(job, 'parts')
  return job.rest.parts.map((part) => ({ part, parts, content: null }))
}

/** Fails the step as if the carrier had refused the parts, because the recipient will not get all of them. */
async function fail(
  context: OwnerContext,
  routeId: string,
  job: RemainingPartsJob,
  signal: AbortSignal,
): Promise<void> {
  const { attemptWriter, log } = context
  const failedStepHandler = createFailedStepHandler({
    ...context,
    routeId,
    signal,
    log: log.child({ route: routeId }),
  })
  const attempts = { routeId: parseShareRoute(routeId) }
  const parts = listRemainingParts(job)
  const result = await attemptWriter.claimRemainingParts(createClaim(job), job.rest.tokens, signal)
  const record = (_: RouteJob, rows: readonly AttemptRow[]): Promise<void> =>
    attemptWriter.record(rows, signal)
  if (result !== 'claimed')
    return resolveOutsideRoute({ attempts, record, ...failedStepHandler }, job, { result, parts })
  const rows = parts.map((part) => toAttempt(job, attempts, part, routeDeleted, clock.date()))
  await record(job, rows)
  await failedStepHandler.endStep(job, rows[0]!)
}
