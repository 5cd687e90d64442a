/**
 * What becomes of a step that leaves its runner unsubmitted or refused: it goes by another route, waits for a better
 * time, or is handed to settle as failed. Each resolves when that is durable, and waits out an engine that is away;
 * it rejects when the owner is stopping, so that the job goes back to its queue.
 */
import { findRefusals } from '../../records/attempts/attempts.ts'
import type { Log } from '../../platform/log.ts'
import { retryTransient } from '../../platform/retry.ts'
import { place, type PlaceContext } from '../scheduling/place.ts'
import { failStep, publishVerdict, releasePlaced, type ReleaseContext } from '../scheduling/release.ts'
import type { RunnerContext } from './runner.ts'

export interface DispositionContext extends PlaceContext, ReleaseContext {
  readonly routeId: string
  readonly signal: AbortSignal
  readonly log: Log
}

export type Disposition = Pick<RunnerContext, 'endStep' | 'endStepAgain' | 'returnStep'>

export function createDisposition(context: DispositionContext): Disposition {
  const durably = <T>(what: string, work: () => Promise<T>): Promise<T> =>
    retryTransient(work, { what, log: context.log, signal: context.signal })

  const endStep: Disposition['endStep'] = (key, { cause, parts, submittedAt }) => {
    const ending = { cause: cause ?? 'refused', parts, at: submittedAt.getTime() }
    return durably('handing on a refusal', () => publishVerdict(context, key, ending))
  }

  return {
    endStep,
    async endStepAgain(key) {
      const refusals = await durably('looking for refusals', () => findRefusals(context.database, [key]))
      for (const refused of refusals) await endStep(key, refused)
    },
    returnStep: (job, how) =>
      durably('giving back a step', async () => {
        if (how.kind === 'never') return failStep(context, job, 'temporary-failure')
        const options =
          how.kind === 'elsewhere'
            ? { avoid: context.routeId }
            : { notBefore: new Date(Date.now() + how.afterMs) }
        await releasePlaced(context, [{ job, placement: place(context, job, options) }])
      }),
  }
}
