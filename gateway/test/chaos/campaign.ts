/** Plays the chosen faults one after another under load, in an order and with pauses that the seed decides. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../harness/random.ts'
import type { Fault } from './faults.ts'
import type { Load } from './load.ts'
import type { Stage } from './stage.ts'
import type { Witness } from './witness.ts'

/** How long the gateway may take to work again. */
export const allowedMs = 10_000
const giveUpMs = 45_000

export interface Ordeal {
  readonly fault: Fault
  readonly struckAt: number
  /** When the broken thing was back, or had to be replaced by another. */
  readonly overAt: number
  /** When a message sent after that was reported delivered; Infinity when that took too long to wait for. */
  readonly flowingAt: number
  /** How long it then took until every process said that it is ready. */
  readonly readyMs: number
}

export async function playFaults(
  faults: readonly Fault[],
  context: {
    readonly stage: Stage
    readonly load: Load
    readonly witness: Witness
    readonly random: Random
    readonly tell: (ordeal: Ordeal) => void
  },
): Promise<Ordeal[]> {
  const { stage, load, witness, random, tell } = context
  const ordeals: Ordeal[] = []
  for (const fault of random.shuffle(faults)) {
    await pause(random.between(1_000, 3_000))
    const struckAt = performance.now()
    await fault.strike(stage)
    const overAt = performance.now()
    const flowingAt = await witness.untilFlowing(load, overAt, giveUpMs).catch(() => Infinity)
    const mendedAt = performance.now()
    await fault.mend?.(stage)
    const readyAt = await stage.untilAllReady(giveUpMs).then(
      () => performance.now(),
      () => Infinity,
    )
    const ordeal = { fault, struckAt, overAt, flowingAt, readyMs: readyAt - mendedAt }
    ordeals.push(ordeal)
    tell(ordeal)
  }
  return ordeals
}
