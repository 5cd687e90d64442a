/**
 * Where the rest of a message in parts goes whose route, or share of it, does not run: the carrier has the other parts, so
 * no other route may take it. It waits for its route, goes to another share of it, and fails when the route is deleted.
 */
import type { RouteJob } from '../../jobs/jobs.ts'
import { routeOfShare } from '../../jobs/route-share.ts'
import { clock } from '../../platform/clock.ts'
import { retryTransient } from '../../platform/retry.ts'
import { isTransient } from '../../platform/transient.ts'
import type { AttemptRow } from '../../records/attempts/attempts.ts'
import { createClaim } from '../../records/messages/claim.ts'
import { parkJob } from '../../records/parked/park.ts'
import { findExistingShares } from '../../routes/queries.ts'
import { publishStep } from '../scheduling/release.ts'
import { createDisposition } from './disposition.ts'
import { resolveOutsideRoute } from './step/resolve.ts'
import { toAttempt } from './step/outcomes.ts'
import type { OwnerContext } from './owner.ts'
import { toParts, type SubmittedPart } from './step/submission.ts'

export type RestJob = RouteJob & { readonly rest: NonNullable<RouteJob['rest']> }

/** Rejects when it is interrupted; the job then returns to its queue. One that can never be placed is parked. */
export async function placeRest(
  context: OwnerContext,
  routeId: string,
  job: RestJob,
  signal: AbortSignal,
): Promise<'waits' | 'placed'> {
  try {
    return await place(context, routeId, job, signal)
  } catch (error) {
    if (signal.aborted || isTransient(error)) throw error
    await parkJob(context, 'dispatch', job, error as Error)
    return 'placed'
  }
}

async function place(
  context: OwnerContext,
  routeId: string,
  job: RestJob,
  signal: AbortSignal,
): Promise<'waits' | 'placed'> {
  // Settle ends it at its deadline.
  if (clock.hasPassed(job.dueAt)) return 'placed'
  const share = context.router.routeOf(routeId)?.id ?? (await findShare(context, routeId, signal))
  if (share === routeId) return 'waits'
  if (share === undefined) await fail(context, routeId, job, signal)
  else await requeueTo(context, share, job, signal)
  return 'placed'
}

/** Not only from memory: a process that has not read a new route yet would fail its steps. */
async function findShare(
  { database, log }: OwnerContext,
  routeId: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const find = { what: 'looking for the route of a step', log, signal }
  return (await retryTransient(() => findExistingShares(database, [routeId]), find)).get(routeId)
}

/** Publishes it to the queue of the share. */
export function requeueTo(
  context: OwnerContext,
  share: string,
  job: RouteJob,
  signal: AbortSignal,
): Promise<void> {
  const { topology, broker, log } = context
  const publish = { what: 'publishing a step that is not submitted', log, signal }
  return retryTransient(
    () => publishStep({ topology, publisher: broker.publisher }, share, job.lane, job),
    publish,
  )
}

const routeDeleted = {
  kind: 'refused',
  cause: 'no-route',
  code: 'route-deleted',
  text: 'the route was deleted before the part was submitted',
} as const

function partsOf(job: RestJob): SubmittedPart[] {
  const { length: parts } = toParts(job, 'parts')
  return job.rest.parts.map((part) => ({ part, parts, content: null }))
}

/** The recipient will not get all parts: the step has failed, as if the carrier had refused them. */
async function fail(
  context: OwnerContext,
  routeId: string,
  job: RestJob,
  signal: AbortSignal,
): Promise<void> {
  const { attemptWriter, log } = context
  const disposition = createDisposition({ ...context, routeId, signal, log: log.child({ route: routeId }) })
  const attempts = { routeId: routeOfShare(routeId) }
  const parts = partsOf(job)
  const taken = await attemptWriter.takeOverRest(createClaim(job), job.rest.tokens, signal)
  const record = (_: RouteJob, answers: readonly AttemptRow[]): Promise<void> =>
    attemptWriter.record(answers, signal)
  if (taken !== 'claimed')
    return resolveOutsideRoute({ attempts, record, ...disposition }, job, { result: taken, parts })
  const rows = parts.map((part) => toAttempt(job, attempts, part, routeDeleted, clock.date()))
  await record(job, rows)
  await disposition.endStep(job, rows[0]!)
}
