/** The check of a batch before its start: duplicates first, then page by page the rules that apply to a send. */
import type { Queryable } from '../../platform/database/database.ts'
import { clock } from '../../platform/time/clock.ts'
import { deferBatch } from '../../records/batches/feeding.ts'
import { completeCheck, startBatch } from '../../records/batches/transitions.ts'
import {
  beforeCheck,
  markDuplicates,
  readNextPage,
  recordChecked,
  type BatchWork,
} from '../../records/batches/work.ts'
import { quietHoursCode, readLines, type JudgeLines } from './judge.ts'
import { findBatchOpening } from './pace.ts'
import { areRefusedByOldRules, staleRecheckMs } from './stale-refusals.ts'

export interface CheckPageContext {
  readonly judge: JudgeLines
  /** Returns the milliseconds since the rules were last compared with the database. */
  readonly rulesAgeMs: () => number
  readonly timeZone: string
}

/** Makes one step of the check of a batch in the state `checking`, whose row the transaction has locked. */
export async function checkNextPage(
  transaction: Queryable,
  batch: BatchWork,
  { judge, timeZone, rulesAgeMs }: CheckPageContext,
): Promise<void> {
  const { id, starts, nextPart } = batch
  if (nextPart === beforeCheck) return markDuplicates(transaction, batch)
  const page = await readNextPage(transaction, batch)
  if (page === null) {
    await completeCheck(transaction, id)
    if (starts) await startBatch(transaction, id)
    return
  }
  // Checks the lines for the hours in which they are sent. A line that quiet hours stop at that time is not refused:
  // it waits.
  const now = clock.now()
  const opening = findBatchOpening(batch, now, timeZone)
  const results = await judge(
    batch,
    await readLines(batch, page),
    opening > now ? new Date(opening) : undefined,
  )
  if (areRefusedByOldRules(results, batch.since, rulesAgeMs()))
    return deferBatch(transaction, id, staleRecheckMs)
  const refused = results.flatMap((result, index) =>
    'code' in result && result.code !== quietHoursCode && page.codes[index] === undefined
      ? [[index, result.code]]
      : [],
  )
  await recordChecked(transaction, id, page, Object.fromEntries(refused) as Record<string, string>)
}
