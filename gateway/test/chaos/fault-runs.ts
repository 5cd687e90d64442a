/**
 * Injects faults one after another under load, in an order that the seed decides. Only one fault is active at a time:
 * the next one waits until the installation has recovered and has worked off what waited meanwhile, because a message
 * sent after the injection would wait behind that backlog, and its wait would count as the recovery. Called by run.ts.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createRandom } from '../support/random.ts'
import type { Fault } from './fault.ts'
import type { ChaosInstallation } from './chaos-installation.ts'
import type { ReportPoller } from './report-poller.ts'

const giveUpMs = 60_000
/** A report follows its message by 0.5 s: the receipt of the simulated carrier takes 0.3 s. */
const currentMs = 3_000

export interface FaultRun {
  readonly fault: Fault
  readonly injectedAt: number
  /** Recovery is measured from here: the injection, the end of an operator's action, or the return of an engine that has no
   * replacement. */
  readonly countsFrom: number
  /** When the repair was done. */
  readonly repairedAt: number
  /** When messages of every route, sent after the injection, were reported; Infinity if they never were. */
  readonly flowingAt: number
  /** When every process was ready. */
  readonly overAt: number
}

export interface FaultRunContext {
  readonly installation: ChaosInstallation
  readonly poller: ReportPoller
  readonly seed: number
  readonly everyMs: number
  /** Faults are repeated until then; each runs at least once. */
  readonly until: number
  readonly onEnd: (faultRun: FaultRun) => void
}

export async function runFaults(faults: readonly Fault[], context: FaultRunContext): Promise<FaultRun[]> {
  const { everyMs, until, onEnd, seed, poller } = context
  const random = createRandom(seed)
  const faultRuns: FaultRun[] = []
  const began = performance.now()
  do {
    for (const fault of random.shuffle(faults)) {
      const due = Math.max(performance.now(), began + (faultRuns.length + 1) * everyMs)
      if (due > until && faultRuns.length >= faults.length) break
      await pause(Math.max(due - performance.now(), 0))
      await poller.untilCurrent(currentMs, giveUpMs)
      const faultRun = await runFault(fault, context, seed + faultRuns.length)
      faultRuns.push(faultRun)
      onEnd(faultRun)
    }
  } while (faults.length > 0 && performance.now() + everyMs < until)
  return faultRuns
}

async function runFault(
  fault: Fault,
  { installation, poller }: FaultRunContext,
  seed: number,
): Promise<FaultRun> {
  const injectedAt = performance.now()
  await fault.inject(installation, createRandom(seed))
  const afterInjection = performance.now()
  const since = fault.byOperator ? afterInjection : injectedAt
  const orNever = (moment: Promise<number>): Promise<number> => moment.catch(() => Infinity)
  const flowing = fault.refuses ? undefined : orNever(poller.untilFlowing(since, giveUpMs))
  await pause(Math.max(fault.lastsMs - (performance.now() - injectedAt), 0))
  await fault.repair?.(installation)
  const repairedAt = performance.now()
  const overAt = await orNever(installation.untilAllReady(giveUpMs).then(() => performance.now()))
  const flowingAt = await (flowing ?? orNever(poller.untilFlowing(repairedAt, giveUpMs)))
  const countsFrom = fault.refuses ? repairedAt : fault.noReplacement ? afterInjection : since
  return { fault, injectedAt, countsFrom, repairedAt, flowingAt, overAt: Math.max(overAt, flowingAt) }
}
