/** Statements of client requests: they create and find batches, lock them, and store their lines. */
import type { Queryable } from '../../platform/database/database.ts'
import type { StoredContent, StoredLines } from './lines.ts'
import { countBatchBytes, countPageBytes } from './stored-bytes.ts'
import { waitingLinesSql, type BatchState } from './transitions.ts'

/** Maximum batches of an account that can still create messages. A batch that only waits for reports is not one of them. */
export const maxUnendedBatches = 20

export interface NewBatch extends StoredContent {
  readonly batchKey: string
  readonly accountId: number
  readonly idempotencyKey: string
  readonly fingerprint: Buffer
  readonly ref: string | null
  readonly startAt: Date | null
  readonly endBy: Date | null
  readonly hoursFrom: string | null
  readonly hoursTo: string | null
  readonly speed: number | null
  readonly dropDuplicates: boolean
}

/** Returns the id of the new batch, or null if the account has too many. */
export async function insertBatch(transaction: Queryable, batch: NewBatch): Promise<number | null> {
  const { rows } = await transaction.query<{ id: number }>(
    `insert into batches (batch_key, account_id, idempotency_key, fingerprint, ref, content, sealed, start_at, end_by,
                          hours_from, hours_to, speed, drop_duplicates, bytes)
     select $1, $2::int, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
      where (select count(*) from batches b
              where account_id = $2::int and state not in ('cancelled', 'ended')
                and (state <> 'running' or ${waitingLinesSql} > 0)) < $15
     returning id`,
    [
      batch.batchKey,
      batch.accountId,
      batch.idempotencyKey,
      batch.fingerprint,
      batch.ref,
      batch.content,
      batch.sealed,
      batch.startAt,
      batch.endBy,
      batch.hoursFrom,
      batch.hoursTo,
      batch.speed,
      batch.dropDuplicates,
      countBatchBytes(batch),
      maxUnendedBatches,
    ],
  )
  return rows[0]?.id ?? null
}

const lockClass = 0x62617463

/** Serializes what adds batches and lines to an account until the transaction ends. */
export async function lockBatches(transaction: Queryable, accountId: number): Promise<void> {
  await transaction.query('select pg_advisory_xact_lock($1, $2)', [lockClass, accountId])
}

export interface CreatedBatch {
  readonly batchKey: string
  readonly fingerprint: Buffer
}

export async function findByIdempotencyKey(
  database: Queryable,
  accountId: number,
  key: string,
): Promise<CreatedBatch | null> {
  const { rows } = await database.query<CreatedBatch>(
    'select batch_key as "batchKey", fingerprint from batches where account_id = $1 and idempotency_key = $2',
    [accountId, key],
  )
  return rows[0] ?? null
}

export interface LockedBatch extends StoredContent {
  readonly id: number
  readonly batchKey: string
  readonly state: BatchState
  readonly startAt: Date | null
  readonly lines: number
  /** Lines that are not decided. */
  readonly waiting: number
}

/** Workers hold the lock longer while they search for duplicates. A request must not occupy a connection for that time. */
const lockMs = 1_000

/**
 * Locks the batch until the transaction ends. Returns null if the account has no such batch. Rejects with 55P03 if another
 * transaction holds it for too long.
 */
export async function lockBatch(
  transaction: Queryable,
  accountId: number,
  batchKey: string,
): Promise<LockedBatch | null> {
  await transaction.query(`set local lock_timeout = ${lockMs}`)
  const { rows } = await transaction.query<LockedBatch>(
    `select id, batch_key as "batchKey", state, start_at as "startAt", content, sealed, lines, ${waitingLinesSql} as waiting
       from batches b where batch_key = $1 and account_id = $2 for update`,
    [batchKey, accountId],
  )
  return rows[0] ?? null
}

/** Lets the batch start by itself after its check. */
export async function startAfterCheck(transaction: Queryable, batchId: number): Promise<void> {
  await transaction.query('update batches set starts = true where id = $1', [batchId])
}

export interface PartDigest {
  readonly digest: Buffer
  readonly lines: number
}

export async function findPart(
  database: Queryable,
  batchId: number,
  part: number,
): Promise<PartDigest | null> {
  const { rows } = await database.query<PartDigest>(
    'select sha256 as digest, lines from batch_parts where batch_id = $1 and part = $2',
    [batchId, part],
  )
  return rows[0] ?? null
}

export interface NewPage extends StoredLines {
  readonly lines: number
  /** The keyed hash of each recipient. */
  readonly hashes: BigInt64Array
}

export interface NewPart {
  readonly digest: Buffer
  readonly lines: number
  readonly pages: readonly NewPage[]
}

export async function insertPart(
  transaction: Queryable,
  batchId: number,
  part: number,
  { digest, lines, pages }: NewPart,
): Promise<void> {
  await transaction.query('insert into batch_parts (batch_id, part, sha256, lines) values ($1, $2, $3, $4)', [
    batchId,
    part,
    digest,
    lines,
  ])
  for (const [page, { content, isSealed, hashes, lines: count }] of pages.entries())
    await transaction.query({
      name: 'insert-batch-page',
      text: `insert into batch_pages (batch_id, part, page, lines, content, is_sealed, hashes) values ($1, $2, $3, $4, $5, $6, $7)`,
      values: [batchId, part, page, count, content, isSealed, Array.from(hashes, String)],
    })
  await transaction.query(
    'update batches set lines = lines + $2, bytes = bytes + $3, changed_at = now() where id = $1',
    [batchId, lines, countPageBytes(pages)],
  )
}

/** Returns the keys of batches with this reference that are neither ended nor cancelled. */
export async function listUnendedBatchKeys(
  database: Queryable,
  accountId: number,
  ref: string,
): Promise<string[]> {
  const { rows } = await database.query<{ batchKey: string }>(
    `select batch_key as "batchKey" from batches
      where account_id = $1 and ref = $2 and state not in ('cancelled', 'ended') order by id`,
    [accountId, ref],
  )
  return rows.map(({ batchKey }) => batchKey)
}
