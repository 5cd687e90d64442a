import { Problem } from '../../contract/problem.ts'
import { inTransaction } from '../../platform/database/database.ts'
import type { BatchLine } from '../../records/batches/lines.ts'
import { reopenBatch } from '../../records/batches/transitions.ts'
import { countPageBytes } from '../../records/batches/stored-bytes.ts'
import { findPart, insertPart, lockBatches } from '../../records/batches/uploads.ts'
import { requireBatch, requireQuota, wrongState, type BatchId } from './actions.ts'
import type { BatchContext } from './batch-context.ts'
import { packUpload, tooManyLines } from './upload.ts'

export interface PartId extends BatchId {
  readonly part: number
}

/**
 * Stores an upload. The same content for the same part changes nothing, whatever the state of the batch is.
 * `getDigest` is called after the last line. Returns the number of lines.
 */
export async function storePart(
  { database, openBlindIndex, maxLines }: BatchContext,
  { accountId, batchKey, part }: PartId,
  lines: AsyncIterable<BatchLine>,
  getDigest: () => Buffer,
): Promise<number> {
  const index = await openBlindIndex()
  const packed = await packUpload(lines, { batchKey, part, accountId, index, maxLines })
  const digest = getDigest()
  return inTransaction(database, async (transaction) => {
    await lockBatches(transaction, accountId)
    const batch = await requireBatch(transaction, { accountId, batchKey })
    const { id, state } = batch
    const stored = await findPart(transaction, id, part)
    if (stored?.digest.equals(digest) === true) return stored.lines
    if (stored !== null)
      throw new Problem(
        'A021',
        `Idempotency-Key used before: part ${part} was uploaded with other content; upload new content as another part`,
      )
    if (batch.lines + packed.lines > maxLines) throw tooManyLines(maxLines)
    await requireQuota(transaction, accountId, countPageBytes(packed.pages))
    if (state === 'checking' || state === 'ready') await reopenBatch(transaction, id)
    else if (state !== 'open') throw wrongState(state, 'add recipients to')
    await insertPart(transaction, id, part, { ...packed, digest })
    return packed.lines
  })
}
