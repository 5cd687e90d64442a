/**
 * Where a step goes that leaves its runner refused or unsubmitted: to another route, to the waiting table for a later
 * try, or to settle as failed. Each call resolves when that is durable and waits while PostgreSQL is unavailable; it rejects when the owner is stopping, so that the job returns to its queue. Called by `RouteRunner`.
 */
import type { SendToSettle } from '../../jobs/send-to-settle.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { findRefusals } from '../../records/attempts/attempts.ts'
import { clock } from '../../platform/clock.ts'
import type { GroupPublisher } from '../../platform/broker/publish.ts'
import type { Log } from '../../platform/log.ts'
import { retryTransient } from '../../platform/retry.ts'
import { place, type PlaceContext, type PlaceOptions } from '../scheduling/place.ts'
import { releasePlaced, toVerdict, type ReleaseContext, type StepEnding } from '../scheduling/release.ts'
import type { RunnerContext, StepReturn } from './runner.ts'

export interface DispositionContext extends PlaceContext, ReleaseContext {
  readonly publisher: GroupPublisher
  readonly sendToSettle: SendToSettle
  readonly routeId: string
  readonly signal: AbortSignal
  readonly log: Log
}

export type Disposition = Pick<RunnerContext, 'endStep' | 'endStepAgain' | 'returnStep'>

export function createDisposition(context: DispositionContext): Disposition {
  const durably = <T>(what: string, work: () => Promise<T>): Promise<T> =>
    retryTransient(work, { what, log: context.log, signal: context.signal })

  const end = (key: StepKey, ending: StepEnding): Promise<void> =>
    durably('reporting a failure to settle', () => context.sendToSettle(toVerdict(key, ending)))

  const endStep: Disposition['endStep'] = (key, { cause, parts, submittedAt }) =>
    end(key, { cause: cause ?? 'refused', parts, at: submittedAt.getTime(), state: 'submitting' })

  const optionsOf = (how: Exclude<StepReturn, { readonly kind: 'never' }>): PlaceOptions => {
    if (how.kind === 'later') return { notBefore: new Date(clock.now() + how.afterMs) }
    return how.kind === 'here' ? { stayWith: context.routeId } : { avoid: context.routeId }
  }

  return {
    endStep,
    async endStepAgain(key) {
      const refusals = await durably('reading recorded refusals', () => findRefusals(context.database, [key]))
      for (const refused of refusals) await endStep(key, refused)
    },
    returnStep(job, how) {
      if (how.kind === 'never')
        return end(job, { cause: 'temporary-failure', parts: 1, at: clock.now(), state: 'released' })
      return durably('returning a step', async () => {
        await releasePlaced(context, [{ job, placement: place(context, job, optionsOf(how)) }])
      })
    },
  }
}
