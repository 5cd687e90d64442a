/**
 * Verifies the whole audit log, or its newest rows, against its chain, its tail and given checkpoints. It
 * reads pages up to the end that the log has at the start. Rows cannot change, so no transaction is needed,
 * which would keep the database from removing old row versions.
 */
import type { Queryable } from '../../platform/database/database.ts'
import { ChainVerifier } from './chain.ts'
import { readAuditAfter, readCheckpointBefore, readEnd, type Checkpoint } from './queries.ts'

export interface Verification {
  readonly rows: number
  readonly last: Checkpoint
  /** `null` if the log is intact. */
  readonly broken: string | null
}

export interface VerifyOptions {
  /** Only rows after this one are verified. */
  readonly from?: Checkpoint | undefined
  /** Aborts the verification with an error after the current page. */
  readonly signal?: AbortSignal
}

/** Rows per page. Hashing a page blocks the process for some milliseconds. */
const pageSize = 500
/** Also includes a row that was moved before the first one. */
const minSeq = Number.MIN_SAFE_INTEGER

export async function verifyAudit(
  database: Queryable,
  checkpoints: readonly Checkpoint[],
  { from, signal }: VerifyOptions = {},
): Promise<Verification> {
  const verifier = new ChainVerifier(checkpoints, from)
  const { tail, lastSeq } = await readEnd(database)
  let rows = 0
  for (let after = from?.seq ?? minSeq; ;) {
    signal?.throwIfAborted()
    const pageRows = (await readAuditAfter(database, after, pageSize)).filter(({ seq }) => seq <= lastSeq)
    for (const row of pageRows) verifier.add(row)
    rows += pageRows.length
    if (pageRows.length < pageSize) break
    after = pageRows.at(-1)!.seq
  }
  return { rows, broken: verifier.end(tail), last: verifier.last }
}

/**
 * Verifies the content of the newest `count` rows and their link to the previous row. Older rows are not
 * read.
 */
export async function verifyNewest(database: Queryable, count: number): Promise<Verification> {
  return verifyAudit(database, [], { from: (await readCheckpointBefore(database, count)) ?? undefined })
}
