/**
 * The bytes that batches occupy in PostgreSQL, for the quota of their account. `batches.bytes` is an upper bound: it grows
 * with every upload, and shrinks when the flow and the recipients are dropped.
 */
import type { Queryable } from '../../platform/database/database.ts'
import type { StoredContent, StoredLines } from './lines.ts'

/** The row of a batch with its index entries, without its flow. */
const batchBytes = 1_024
/** The rows of a page and of its part with their index entries, without lines. */
const pageBytes = 512
/** What a line stores beside its content: the hash of its recipient, and its msgKey or the shorter entry of its result code. */
const lineBytes = 8 + 36

export function countBatchBytes({ content, sealed }: StoredContent): number {
  return batchBytes + (sealed?.length ?? Buffer.byteLength(content!))
}

export function countPageBytes(pages: readonly (StoredLines & { readonly lines: number })[]): number {
  return pages.reduce(
    (sum, { content, lines }) => sum + pageBytes + (content?.length ?? 0) + lines * lineBytes,
    0,
  )
}

/**
 * Returns the quota of the account in MiB if its batches would exceed it with these bytes, otherwise null. Hold the lock of
 * `lockBatches`: concurrent uploads would not count each other.
 */
export async function findExceededQuota(
  transaction: Queryable,
  accountId: number,
  bytes: number,
): Promise<number | null> {
  const { rows } = await transaction.query<{ megabytes: number }>(
    `select batch_megabytes as megabytes from accounts a
      where id = $1
        and (select coalesce(sum(bytes), 0) from batches where account_id = a.id) + $2 > batch_megabytes * 1048576.0`,
    [accountId, bytes],
  )
  return rows[0]?.megabytes ?? null
}

/** Drops the flow and the recipients. The results of lines stay until the batch is deleted. */
export async function dropContent(database: Queryable, batchIds: readonly number[]): Promise<void> {
  await database.query(
    `with dropped as (
       update batches b
          set content = '{}', sealed = null,
              bytes = ${batchBytes} + ${lineBytes} * (lines - cancelled)
                    + ${pageBytes} * (select count(*) from batch_pages where batch_id = b.id)
        where id = any ($1) and content is distinct from '{}'
       returning id)
     update batch_pages set content = null, hashes = '{}' where batch_id in (select id from dropped)`,
    [batchIds],
  )
}
