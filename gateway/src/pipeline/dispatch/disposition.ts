/**
 * Where a step goes that leaves its runner refused or unsubmitted: to another route, to the waiting table for a later
 * try, or to settle as failed. Each call resolves when that is durable and waits while PostgreSQL is unavailable; it rejects
 * when the owner is stopping, so that the job returns to its queue.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { SendToSettle } from '../../jobs/send-to-settle.ts'
import type { RouteJob } from '../../jobs/jobs.ts'
import { routeOfShare } from '../../jobs/route-share.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { toAnswerJob } from '../../records/attempts/answer-job.ts'
import { findRefusals, type Refusal } from '../../records/attempts/attempts.ts'
import { clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { Batcher } from '../../platform/batcher.ts'
import { retryTransient, retryWhileRunning } from '../../platform/retry.ts'
import { scopeOf } from '../../platform/transient.ts'
import { place, toRouteRequest, type PlaceContext, type PlaceOptions } from '../scheduling/place.ts'
import {
  releasePlaced,
  toVerdict,
  type PlacedStep,
  type ReleaseContext,
  type StepEnding,
} from '../scheduling/release.ts'
import type { StepPorts } from './step/ports.ts'
import type { StepReturn } from './step/states.ts'

export interface DispositionContext extends PlaceContext, Pick<ReleaseContext, 'database'> {
  readonly releaseStep: ReleaseStep
  readonly sendToSettle: SendToSettle
  readonly routeId: string
  readonly signal: AbortSignal
  readonly log: Log
  /** The delay of `endStepLater`; tests set it lower. */
  readonly endAgainAfterMs?: number
}

/** Resolves when the new place of the step is durable. */
export type ReleaseStep = (step: PlacedStep) => Promise<void>

const defaultEndAgainMs = 15_000
const bulk = { maxItems: 200, concurrency: 2, scopeOf }

/**
 * Shared by all routes of a process: a route that loses its carrier returns thousands of steps at once, and a statement for
 * each would occupy all connections of the pool.
 */
export function createReleaseStep(context: ReleaseContext): ReleaseStep {
  const returned = new Batcher<PlacedStep>(bulk, async (steps) => {
    await releasePlaced(context, steps)
    return steps.map(() => undefined)
  })
  return (step) => returned.add(step)
}

export type Disposition = Pick<
  StepPorts,
  'endStep' | 'endStepAgain' | 'endStepLater' | 'returnStep' | 'handOver'
>

export function createDisposition(context: DispositionContext): Disposition {
  const durably = <T>(what: string, work: () => Promise<T>): Promise<T> =>
    retryTransient(work, { what, log: context.log, signal: context.signal })

  const end = (key: StepKey, ending: StepEnding): Promise<void> =>
    durably('reporting a failure to settle', () => context.sendToSettle(toVerdict(key, ending)))

  const endStep: Disposition['endStep'] = (job, refused) => {
    const { cause, reportCode, parts, carrier, submittedAt } = refused
    const portedTo = portedRoute(context, job, refused)
    if (portedTo !== undefined || cause === 'no-subscriber') context.router.remember(job.to, portedTo)
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

  const endStepAgain: Disposition['endStepAgain'] = async (job) => {
    const refusals = await durably('reading recorded refusals', () => findRefusals(context.database, [job]))
    for (const refused of refusals) await endStep(job, refused)
  }

  const optionsOf = (how: Exclude<StepReturn, { readonly kind: 'failed' }>): PlaceOptions => {
    if (how.kind === 'later') {
      const notBefore = new Date(clock.now() + how.afterMs)
      return how.rule === undefined ? { notBefore } : { notBefore, rule: how.rule }
    }
    const { routeId } = context
    return how.kind === 'same-route' ? { stayWith: routeId } : { avoid: routeId, waitFor: routeId }
  }

  return {
    endStep,
    handOver: (rows, token) => {
      const job = toAnswerJob(rows, token)
      return retryWhileRunning(() => context.sendToSettle(job), {
        what: 'handing answers of a carrier over to settle',
        log: context.log,
      })
    },
    endStepAgain,
    endStepLater(job) {
      const { signal, endAgainAfterMs = defaultEndAgainMs } = context
      delay(endAgainAfterMs, undefined, { signal, ref: false })
        .then(() => endStepAgain(job))
        // The owner is stopping or the refusal cannot be read: the step ends at its deadline.
        .catch(() => undefined)
    },
    returnStep(job, how) {
      if (how.kind === 'failed')
        return end(job, { cause: 'temporary-failure', parts: 1, at: clock.now(), state: 'unclaimed' })
      return durably('returning a step', async () => {
        await context.releaseStep({ job, placement: place(context, job, optionsOf(how)) })
      })
    },
  }
}

/**
 * The carrier that the recipient was ported to, when another route serves it. Of a message in parts the carrier may have
 * accepted others: it ends here.
 */
function portedRoute(
  { router, routeId }: DispositionContext,
  job: RouteJob,
  { portedTo, part, parts }: Refusal,
): string | undefined {
  if (portedTo === undefined || (part > 0 && parts > 1)) return undefined
  const choice = router.choose({ ...toRouteRequest(job), carrier: portedTo })
  return choice === null || choice.route.routeId === routeOfShare(routeId) ? undefined : portedTo
}
