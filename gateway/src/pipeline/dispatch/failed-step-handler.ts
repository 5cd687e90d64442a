/**
 * Reroutes, delays or fails a step that leaves its runner refused or unsubmitted. Each call except `endStepLater` waits while
 * PostgreSQL or the broker is unavailable and resolves when the result is durable. It rejects when the owner is stopping, so
 * the job returns to its queue; only `publishOutcomes` is retried as long as the process runs.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { SendToSettle } from '../../jobs/send-to-settle.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import { parseShareRoute } from '../../jobs/route-share.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { toResponseJob } from '../../records/attempts/response-job.ts'
import { findRefusals, type RefusedAttempt } from '../../records/attempts/attempts.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Log } from '../../platform/logging/log.ts'
import { Batcher } from '../../platform/database/batcher.ts'
import { retryTransient, retryWhileRunning } from '../../platform/database/retry.ts'
import { classifyError } from '../../platform/database/transient.ts'
import {
  decidePlacement,
  toRouteRequest,
  type PlacementContext,
  type PlacementOptions,
} from '../scheduling/place.ts'
import {
  releasePlaced,
  toVerdict,
  type PlacedStep,
  type ReleaseContext,
  type StepEnding,
} from '../scheduling/release.ts'
import type { StepPorts } from './step/ports.ts'
import type { StepReturn } from './step/states.ts'

export interface FailedStepContext extends PlacementContext, Pick<ReleaseContext, 'database'> {
  readonly releaseStep: ReleaseStep
  readonly sendToSettle: SendToSettle
  readonly routeId: string
  readonly signal: AbortSignal
  readonly log: Log
  /** Delay of `endStepLater`; tests set it lower. */
  readonly endAgainAfterMs?: number
}

/** Resolves when the new location of the step is durable. */
export type ReleaseStep = (step: PlacedStep) => Promise<void>

const defaultEndAgainMs = 15_000
const bulk = { maxItems: 200, concurrency: 2, scopeOf: classifyError }

/**
 * Creates a release function that all routes of a process share. A route that loses its carrier returns
 * thousands of steps at once, and one statement per step would occupy all connections of the pool.
 */
export function createReleaseStep(context: ReleaseContext): ReleaseStep {
  const returned = new Batcher<PlacedStep>(bulk, async (steps) => {
    await releasePlaced(context, steps)
    return steps.map(() => undefined)
  })
  return (step) => returned.add(step)
}

export type FailedStepHandler = Pick<
  StepPorts,
  'endStep' | 'endStepAgain' | 'endStepLater' | 'returnStep' | 'publishOutcomes'
>

export function createFailedStepHandler(context: FailedStepContext): FailedStepHandler {
  const durably = <T>(what: string, work: () => Promise<T>): Promise<T> =>
    retryTransient(work, { what, log: context.log, signal: context.signal })

  const end = (key: StepKey, ending: StepEnding): Promise<void> =>
    durably('reporting a failure to settle', () => context.sendToSettle(toVerdict(key, ending)))

  const endStep: FailedStepHandler['endStep'] = (job, refused) => {
    const { cause, reportCode, parts, carrier, submittedAt } = refused
    const portedTo = findPortedCarrier(context, job, refused)
    if (portedTo !== undefined || cause === 'no-subscriber') context.router.setCarrier(job.to, portedTo)
    return end(job, {
      cause: cause ?? 'refused',
      parts,
      at: submittedAt.getTime(),
      state: 'claimed',
      ...(reportCode === undefined ? {} : { reportCode }),
      ...(portedTo === undefined ? {} : { portedTo }),
      ...(carrier === undefined || carrier === null ? {} : { carrier }),
    })
  }

  const endStepAgain: FailedStepHandler['endStepAgain'] = async (job) => {
    const refusals = await durably('reading recorded refusals', () => findRefusals(context.database, [job]))
    for (const refused of refusals) await endStep(job, refused)
  }

  const toPlaceOptions = (how: Exclude<StepReturn, { readonly kind: 'failed' }>): PlacementOptions => {
    if (how.kind === 'later') {
      const notBefore = new Date(clock.now() + how.afterMs)
      return how.rule === undefined ? { notBefore } : { notBefore, rule: how.rule }
    }
    const { routeId } = context
    return how.kind === 'same-route' ? { stayWith: routeId } : { avoid: routeId, waitFor: routeId }
  }

  return {
    endStep,
    publishOutcomes: (rows, token) => {
      const job = toResponseJob(rows, token)
      return retryWhileRunning(() => context.sendToSettle(job), {
        what: 'passing responses of a carrier to settle',
        log: context.log,
      })
    },
    endStepAgain,
    endStepLater(job) {
      const { signal, endAgainAfterMs = defaultEndAgainMs } = context
      delay(endAgainAfterMs, undefined, { signal, ref: false })
        .then(() => endStepAgain(job))
        // The owner is stopping or the refusal cannot be read; settle ends the step at its deadline.
        .catch(() => undefined)
    },
    returnStep(job, how) {
      if (how.kind === 'failed')
        return end(job, { cause: 'temporary-failure', parts: 1, at: clock.now(), state: 'unclaimed' })
      return durably('returning a step', async () => {
        await context.releaseStep({ job, placement: decidePlacement(context, job, toPlaceOptions(how)) })
      })
    },
  }
}

/**
 * Returns the carrier that the recipient was ported to, if another route serves it. A message in parts ends
 * here, because this carrier may have accepted other parts.
 */
function findPortedCarrier(
  { router, routeId }: FailedStepContext,
  job: RouteJob,
  { portedTo, part, parts }: RefusedAttempt,
): string | undefined {
  if (portedTo === undefined || (part > 0 && parts > 1)) return undefined
  const choice = router.choose({ ...toRouteRequest(job), carrier: portedTo })
  return choice === null || choice.route.routeId === parseShareRoute(routeId) ? undefined : portedTo
}
