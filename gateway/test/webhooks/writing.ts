/**
 * Writes the reports of a run as settle does: every tenth of a second a transaction for many accounts at once. What is to be
 * struck down is struck at even distances on the way, and put back at the end.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { inTransaction, type Database } from '../../src/platform/database.ts'
import { insertReports } from '../../src/records/reports/queries.ts'
import { newReport } from './reports.ts'
import type { Strike } from './strikes.ts'
import { canTake, type Target } from './targets.ts'
import type { Witness } from './witness.ts'

export type Tell = (line: string) => void
export const tellEveryMs = 5_000

export interface Writing {
  readonly database: Database
  readonly targets: readonly Target[]
  readonly witness: Witness
  readonly strikes: readonly Strike[]
  readonly perSecond: number
  readonly seconds: number
  readonly tell: Tell
}

/** Returns how many a second were written. */
export async function write(writing: Writing): Promise<number> {
  const { targets, witness, strikes, perSecond, seconds, tell } = writing
  const start = performance.now()
  const rounds = seconds * 10
  const striking: Promise<void>[] = []
  let [count, toldAt] = [0, start]
  for (let round = 1; round <= rounds; round++) {
    const batch: Target[] = []
    while (count < (perSecond * round) / 10) batch.push(targets[count++ % targets.length]!)
    await writeBatch(writing.database, batch)
    const next = strikes[striking.length]
    if (next !== undefined && round >= (rounds * (striking.length + 1)) / (strikes.length + 1)) {
      witness.disturb()
      tell(next.name)
      striking.push(next.strike())
    }
    if (performance.now() - toldAt >= tellEveryMs) {
      toldAt = performance.now()
      tell(`writing: ${Math.round((toldAt - start) / 1000)} s, ${progress(targets, witness)}`)
    }
    await pause(Math.max(0, start + round * 100 - performance.now()))
  }
  const tookMs = performance.now() - start
  await Promise.all(striking)
  for (const strike of strikes) await strike.mend()
  return (1000 * count) / tookMs
}

async function writeBatch(database: Database, batch: readonly Target[]): Promise<void> {
  const reports = batch.map(({ accountId }) => newReport(accountId))
  const now = performance.now()
  reports.forEach(({ msgKey }, index) => batch[index]!.written.set(msgKey, now))
  await inTransaction(database, (transaction) => insertReports(transaction, reports))
}

function progress(targets: readonly Target[], { lags: { calm, rough } }: Witness): string {
  const takers = targets.filter(canTake)
  const written = takers.reduce((sum, target) => sum + target.written.size, 0)
  const acknowledged = takers.reduce((sum, target) => sum + target.acknowledged.size, 0)
  const { p99 } = rough.count > 0 ? rough : calm
  return `${acknowledged} of ${written} acknowledged by those that can, healthy p99 ${p99.toFixed(0)} ms`
}
