/**
 * The report stream: the same records as polling, for as long as they are stored, from any position, any number of times.
 * Reading changes nothing; the position of a named consumer moves when it acknowledges a cursor.
 */
import type { Queryable } from '../../platform/database.ts'
import { reportConsumers } from './consumers.ts'
import { readReports, type NumberedReport } from './queries.ts'
import { seekTime } from './seek.ts'

export const maxStreamed = 1000

export interface Place {
  readonly consumer?: string | undefined
  /** The number in the client's cursor. */
  readonly afterSeq?: number | undefined
  readonly from?: Date | undefined
}

export interface Streamed {
  readonly rows: readonly NumberedReport[]
  /** Position to continue from. */
  readonly lastSeq: number
}

/** Starts at the cursor, else at the time, else at the consumer's position, else at the oldest stored report. */
export async function placeOf(
  database: Queryable,
  accountId: number,
  { consumer, afterSeq, from }: Place,
): Promise<number> {
  if (afterSeq !== undefined) return afterSeq
  if (from !== undefined) return seekTime(database, accountId, 0, from)
  return (consumer === undefined ? null : await reportConsumers.position(database, accountId, consumer)) ?? 0
}

/** `from` filters out older reports at the position that was found. */
export async function readStream(
  database: Queryable,
  accountId: number,
  afterSeq: number,
  limit: number,
  from?: Date,
): Promise<Streamed> {
  let lastSeq = afterSeq
  for (;;) {
    const read = await readReports(database, accountId, lastSeq, limit)
    const rows = from === undefined ? read : read.filter((row) => row.createdAt >= from)
    lastSeq = read.at(-1)?.seq ?? lastSeq
    if (rows.length > 0 || read.length === 0) return { rows, lastSeq }
  }
}
