/**
 * Resolves a step that another owner of the route has claimed and perhaps submitted: that owner has crashed,
 * hangs or has lost its connections. Parts without a recorded outcome become `unknown`; a recorded refusal is
 * published.
 */
import { clock } from '../../../platform/time/clock.ts'
import { ProcessStopping, settleUnlessStopping } from '../../../platform/database/retry.ts'
import { interrupted, unknownAttempts } from './outcomes.ts'
import type { ResolvePorts } from './ports.ts'
import type { DeliveredStep, NextState, DispatchState } from './states.ts'

export async function resolveStep(
  ports: ResolvePorts,
  state: DispatchState<'resolving'>,
): Promise<NextState<'resolving'>> {
  const { step, parts, result } = state
  if (result === 'stale') return { name: 'done', step, endsCopies: false }
  // Recorded outcomes are kept. If one of several parts has an outcome, others may have none.
  if (result === 'unanswered' || parts.length > 1) {
    const rows = unknownAttempts(step.job, ports.attempts, parts, clock.date())
    if ((await settleUnlessStopping(ports.record(step.job, rows))) === 'stopping')
      return { name: 'abandoned', step }
    traceUnknown(ports, state)
  }
  if (result === 'answered') return { name: 'ending-again', step }
  ports.endStepLater(step.job)
  return { name: 'done', step, endsCopies: false }
}

/**
 * Resolves the step while its route does not run. Rejects if the partition is stopping; the job then returns
 * to its queue.
 */
export async function resolveOutsideRoute(
  ports: ResolvePorts,
  job: DeliveredStep['job'],
  { result, parts }: Pick<DispatchState<'resolving'>, 'result' | 'parts'>,
): Promise<void> {
  const startedMs = performance.now()
  const step = { job, lane: job.lane, delivery: undefined, startedMs }
  const next = await resolveStep(ports, { name: 'resolving', step, parts, result })
  if (next.name === 'abandoned') throw new ProcessStopping('the partition is stopping')
  if (next.name === 'ending-again') await ports.endStepAgain(job)
}

/** Traces the unknown outcome, because the other owner did not export its spans. */
function traceUnknown(
  { trace, attempts: { routeId } }: ResolvePorts,
  { step, parts }: DispatchState<'resolving'>,
): void {
  if (trace === undefined) return
  const { startedMs, job } = step
  const outcome = { kind: 'unknown', code: interrupted.code } as const
  for (const { part } of parts)
    trace.addSubmitted({ ...job, part }, routeId, outcome, { startedMs, isFinal: true })
  trace.addDispatched(job, routeId, interrupted.kind, { startedMs })
}
