import { setTimeout as pause } from 'node:timers/promises'
import { createRandom } from '../../support/random.ts'
import type { ChaosFault } from './fault.ts'
import type { ChaosInstallation } from './chaos-installation.ts'
import type { ChaosLoad } from './load.ts'
import type { ChaosReportPoller } from './report-poller.ts'

const giveUpMs = 60_000
/** Maximum age of reported messages without backlog. */
const currentMs = 3_000

export interface FaultRun {
  readonly fault: ChaosFault
  readonly injectedAt: number
  /**
   * Start of the recovery time: the injection, the end of an operator's action, the return of an engine
   * without replacement, or the repair of a fault that rejects sends or slows.
   */
  readonly countsFrom: number
  /** Time at which the repair was complete. */
  readonly repairedAt: number
  /**
   * Time at which messages of every route were reported that were sent after the injection, or after the repair
   * of a fault that rejects sends; for a fault that slows, time at which messages were reported as fast as they
   * are sent. Infinity if never.
   */
  readonly flowingAt: number
  /** Time at which every process was ready and messages flowed; Infinity if never. */
  readonly overAt: number
}

export interface FaultRunContext {
  readonly installation: ChaosInstallation
  readonly load: Pick<ChaosLoad, 'stopRepeats' | 'resumeRepeats'>
  readonly poller: ChaosReportPoller
  readonly messagesPerSecond: number
  readonly seed: number
  readonly everyMs: number
  /** Faults are repeated until this time. Each runs at least once. */
  readonly until: number
  readonly onEnd: (faultRun: FaultRun) => void
}

/**
 * Injects faults one after another under load, in an order given by the seed. Each fault waits until the
 * installation has recovered from the previous one and processed its backlog, which would otherwise count as
 * recovery time.
 */
export async function runFaults(
  faults: readonly ChaosFault[],
  context: FaultRunContext,
): Promise<FaultRun[]> {
  const { everyMs, until, onEnd, seed, poller } = context
  const random = createRandom(seed)
  const faultRuns: FaultRun[] = []
  const began = performance.now()
  do {
    for (const fault of random.shuffle(faults)) {
      const due = Math.max(performance.now(), began + (faultRuns.length + 1) * everyMs)
      if (due > until && faultRuns.length >= faults.length) break
      await pause(Math.max(due - performance.now(), 0))
      await poller.waitUntilCurrent(currentMs, giveUpMs)
      const faultRun = await runFault(fault, context, seed + faultRuns.length)
      faultRuns.push(faultRun)
      onEnd(faultRun)
    }
  } while (faults.length > 0 && performance.now() + everyMs < until)
  return faultRuns
}

async function runFault(
  fault: ChaosFault,
  { installation, load, poller, messagesPerSecond }: FaultRunContext,
  seed: number,
): Promise<FaultRun> {
  const injectedAt = performance.now()
  if (fault.loses === 'keys') load.stopRepeats()
  await fault.inject(installation, createRandom(seed))
  const afterInjection = performance.now()
  const since = fault.byOperator ? afterInjection : injectedAt
  const orNever = (moment: Promise<number>): Promise<number> => moment.catch(() => Infinity)
  const isFromRepair = fault.rejectsSends === true || fault.slows === true
  const flowing = isFromRepair ? undefined : orNever(poller.waitUntilFlowing(since, giveUpMs))
  await pause(Math.max(fault.lastsMs - (performance.now() - injectedAt), 0))
  await fault.repair?.(installation)
  if (fault.loses === 'keys') load.resumeRepeats()
  const repairedAt = performance.now()
  const flowsAgain = fault.slows
    ? orNever(poller.waitUntilRate(messagesPerSecond, giveUpMs))
    : (flowing ?? orNever(poller.waitUntilFlowing(repairedAt, giveUpMs)))
  const overAt = await orNever(installation.untilAllReady(giveUpMs).then(() => performance.now()))
  const flowingAt = await flowsAgain
  const countsFrom = isFromRepair ? repairedAt : fault.noReplacement ? afterInjection : since
  return { fault, injectedAt, countsFrom, repairedAt, flowingAt, overAt: Math.max(overAt, flowingAt) }
}
