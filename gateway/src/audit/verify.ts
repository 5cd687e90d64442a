/** Verifies the whole audit log against its chain, its tail and given checkpoints. Called by `postern audit verify`. */
import { inTransaction, type Database, type Queryable } from '../platform/database.ts'
import { ChainVerifier } from './chain.ts'
import { readAuditAfter, readTail, type Checkpoint } from './queries.ts'

export interface Verification {
  readonly rows: number
  readonly last: Checkpoint
  /** Null: everything is right. */
  readonly broken: string | null
}

const page = 2_000
/** A row that was moved before the first one is read as well. */
const minSeq = Number.MIN_SAFE_INTEGER

export function verifyAudit(database: Database, checkpoints: readonly Checkpoint[]): Promise<Verification> {
  return inTransaction(database, async (transaction) => {
    // One snapshot for rows and tail: a row that is added meanwhile is in neither.
    await transaction.query('set transaction isolation level repeatable read, read only')
    return verifyRows(transaction, checkpoints)
  })
}

/** In one snapshot. */
export async function verifyRows(
  transaction: Queryable,
  checkpoints: readonly Checkpoint[],
): Promise<Verification> {
  const verifier = new ChainVerifier(checkpoints)
  const tail = await readTail(transaction)
  let rows = 0
  for (let after = minSeq; ;) {
    const read = await readAuditAfter(transaction, after, page)
    for (const row of read) verifier.add(row)
    rows += read.length
    if (read.length < page) break
    after = read.at(-1)!.seq
  }
  return { rows, broken: verifier.end(tail), last: verifier.last }
}
