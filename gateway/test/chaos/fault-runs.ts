/**
 * Plays faults one after another under load, in an order that the seed decides. Each is a single fault: the next one
 * waits until everything is back.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createRandom } from '../support/random.ts'
import type { Fault } from './fault.ts'
import type { Stage } from './chaos-installation.ts'
import type { Witness } from './report-poller.ts'

const giveUpMs = 60_000

export interface Ordeal {
  readonly fault: Fault
  readonly struckAt: number
  /** From when its recovery counts: from the strike, unless nothing could be done before something was back. */
  readonly countsFrom: number
  /** When what was broken was put back. */
  readonly mendedAt: number
  /** When messages of every route that were sent after the strike were reported; Infinity when that never came. */
  readonly flowingAt: number
  /** When every process said that it is ready. */
  readonly overAt: number
}

export interface CampaignContext {
  readonly stage: Stage
  readonly witness: Witness
  readonly seed: number
  readonly everyMs: number
  /** Faults are played again and again until then; each at least once. */
  readonly until: number
  readonly tell: (ordeal: Ordeal) => void
}

export async function playFaults(faults: readonly Fault[], context: CampaignContext): Promise<Ordeal[]> {
  const { everyMs, until, tell, seed } = context
  const random = createRandom(seed)
  const ordeals: Ordeal[] = []
  const began = performance.now()
  do {
    for (const fault of random.shuffle(faults)) {
      const due = Math.max(performance.now(), began + (ordeals.length + 1) * everyMs)
      if (due > until && ordeals.length >= faults.length) break
      await pause(Math.max(due - performance.now(), 0))
      const ordeal = await play(fault, context, seed + ordeals.length)
      ordeals.push(ordeal)
      tell(ordeal)
    }
  } while (faults.length > 0 && performance.now() + everyMs < until)
  return ordeals
}

async function play(fault: Fault, { stage, witness }: CampaignContext, seed: number): Promise<Ordeal> {
  const struckAt = performance.now()
  await fault.strike(stage, createRandom(seed))
  const afterStrike = performance.now()
  const orNever = (moment: Promise<number>): Promise<number> => moment.catch(() => Infinity)
  const flowing = fault.refuses ? undefined : orNever(witness.untilFlowing(struckAt, giveUpMs))
  await pause(Math.max(fault.lastsMs - (performance.now() - struckAt), 0))
  await fault.mend?.(stage)
  const mendedAt = performance.now()
  const overAt = await orNever(stage.untilAllReady(giveUpMs).then(() => performance.now()))
  const flowingAt = await (flowing ?? orNever(witness.untilFlowing(mendedAt, giveUpMs)))
  const countsFrom = fault.refuses ? mendedAt : fault.alone ? afterStrike : struckAt
  return { fault, struckAt, countsFrom, mendedAt, flowingAt, overAt: Math.max(overAt, flowingAt) }
}
