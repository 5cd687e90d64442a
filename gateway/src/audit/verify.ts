/**
 * Verifies the audit log against its chain, its tail and given checkpoints: the whole of it, or its newest rows. It is read in pages up to the
 * end that it has at the start. Rows cannot change, so no transaction is needed, which would keep the database from removing old row versions.
 */
import type { Queryable } from '../platform/database.ts'
import { ChainVerifier } from './chain.ts'
import { readAuditAfter, readCheckpointBefore, readEnd, type Checkpoint } from './queries.ts'

export interface Verification {
  readonly rows: number
  readonly last: Checkpoint
  /** Null: everything is right. */
  readonly broken: string | null
}

export interface VerifyOptions {
  /** Only rows after this one are verified. */
  readonly from?: Checkpoint | undefined
  /** Ends the verification with an error after the present page. */
  readonly signal?: AbortSignal
}

/** Hashing a page takes a few milliseconds, in which the process does nothing else. */
const page = 500
/** A row that was moved before the first one is read as well. */
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
    const read = (await readAuditAfter(database, after, page)).filter(({ seq }) => seq <= lastSeq)
    for (const row of read) verifier.add(row)
    rows += read.length
    if (read.length < page) break
    after = read.at(-1)!.seq
  }
  return { rows, broken: verifier.end(tail), last: verifier.last }
}

/** The newest `count` rows, each by its content and by the row before it. What is older is not looked at. */
export async function verifyNewest(database: Queryable, count: number): Promise<Verification> {
  return verifyAudit(database, [], { from: (await readCheckpointBefore(database, count)) ?? undefined })
}
