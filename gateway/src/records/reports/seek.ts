/**
 * Finds the position of a time in an account's order of reports or replies. Times rise with the numbers, so a binary search over
 * the index is enough: about thirty probes for half a billion reports, and no scan.
 */
import type { Queryable } from '../../platform/database.ts'
import { lastSeqOf, probeReport } from './queries.ts'

/**
 * A report has the time at which its writer's transaction began and the number it got later: two concurrent writers may
 * have them in opposite order. No writer waits longer than this for its number.
 */
export const skewMs = 10_000

/**
 * The number after which to read so that no report younger than `time` is missed. The first reports read may be up to
 * `skewMs` too old. All reports up to `afterSeq` must be older than `time`.
 */
export async function seekTime(
  database: Queryable,
  accountId: number,
  afterSeq: number,
  time: Date,
): Promise<number> {
  const lastSeq = await lastSeqOf(database, accountId)
  return searchTime(afterSeq, lastSeq, time, (seq, before) => probeReport(database, accountId, seq, before))
}

/** `probe`: number and time of the first one from `seq` on and below `before`. */
export async function searchTime(
  afterSeq: number,
  lastSeq: number,
  time: Date,
  probe: (seq: number, before: number) => Promise<{ readonly seq: number; readonly createdAt: Date } | null>,
): Promise<number> {
  const earliest = time.getTime() - skewMs
  let old = afterSeq
  let young = lastSeq + 1
  while (old + 1 < young) {
    const middle = Math.floor((old + young) / 2)
    const found = await probe(middle, young)
    if (found === null || found.createdAt.getTime() > earliest) young = middle
    else old = found.seq
  }
  return old
}
