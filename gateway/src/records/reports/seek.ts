/**
 * Where in an account's order a time lies. Numbers have no gaps and times rise with them, so it is found by halving:
 * some thirty steps into the index for half a billion reports, and no row of theirs is scanned.
 */
import type { Queryable } from '../../platform/database.ts'
import { lastSeqOf, probeReport } from './queries.ts'

/**
 * A report has the time at which its writer began and the number it got when its turn came: two that wrote at once may
 * have them the other way round. No writer waits longer than this for its turn.
 */
export const skewMs = 10_000

/**
 * The number after which to read so that no report younger than `time` is missed. The first ones read may be up to
 * `skewMs` too old. Everything up to `afterSeq` must be.
 */
export async function seekTime(
  database: Queryable,
  accountId: number,
  afterSeq: number,
  time: Date,
): Promise<number> {
  const wanted = time.getTime() - skewMs
  let old = afterSeq
  let young = (await lastSeqOf(database, accountId)) + 1
  while (old + 1 < young) {
    const middle = Math.floor((old + young) / 2)
    const found = await probeReport(database, accountId, middle, young)
    if (found === null || found.createdAt.getTime() > wanted) young = middle
    else old = found.seq
  }
  return old
}
