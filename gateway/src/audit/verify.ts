/**
 * Verifies the audit log against its chain, its tail and given checkpoints: the whole of it, or its newest rows. Called by `postern audit verify`
 * and the admin API.
 */
import { inTransaction, type Database, type Queryable } from '../platform/database.ts'
import { ChainVerifier } from './chain.ts'
import { readAuditAfter, readCheckpointBefore, readTail, type Checkpoint } from './queries.ts'

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
  return inSnapshot(database, (transaction) => verifyRows(transaction, checkpoints))
}

/** The newest `count` rows, each by its content and by the row before it. What is older is not looked at. */
export function verifyNewest(database: Database, count: number): Promise<Verification> {
  return inSnapshot(database, async (transaction) =>
    verifyRows(transaction, [], (await readCheckpointBefore(transaction, count)) ?? undefined),
  )
}

/** One snapshot for rows and tail: a row that is added meanwhile is in neither. */
function inSnapshot<T>(database: Database, work: (transaction: Queryable) => Promise<T>): Promise<T> {
  return inTransaction(database, async (transaction) => {
    await transaction.query('set transaction isolation level repeatable read, read only')
    return work(transaction)
  })
}

/** In one snapshot. `from`: the rows after this one; absent: all. */
export async function verifyRows(
  transaction: Queryable,
  checkpoints: readonly Checkpoint[],
  from?: Checkpoint,
): Promise<Verification> {
  const verifier = new ChainVerifier(checkpoints, from)
  const tail = await readTail(transaction)
  let rows = 0
  for (let after = from?.seq ?? minSeq; ;) {
    const read = await readAuditAfter(transaction, after, page)
    for (const row of read) verifier.add(row)
    rows += read.length
    if (read.length < page) break
    after = read.at(-1)!.seq
  }
  return { rows, broken: verifier.end(tail), last: verifier.last }
}
