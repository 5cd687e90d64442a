import { Problem } from '../../contract/problem.ts'
import type { Database } from '../../platform/database/database.ts'
import { listUnendedBatchKeys } from '../../records/batches/uploads.ts'
import { cancelScheduled, findScheduled } from '../../records/messages/cancel.ts'
import { changeBatch, type BatchId } from './actions.ts'
import type { BatchContext } from './batch-context.ts'

const messagesPerTransaction = 500

export interface CancelledByRef {
  readonly batches: number
  readonly messages: number
}

/** Cancels the batches and the scheduled messages of the account with exactly this reference, or only counts them. */
export async function cancelByRef(
  context: BatchContext & { readonly searches: Database },
  accountId: number,
  { ref, dryRun = false }: { readonly ref: string; readonly dryRun?: boolean },
): Promise<CancelledByRef> {
  const { database, searches } = context
  const batchKeys = await listUnendedBatchKeys(database, accountId, ref)
  const msgKeys = await findScheduled(searches, accountId, ref)
  if (dryRun) return { batches: batchKeys.length, messages: msgKeys.length }
  let batches = 0
  for (const batchKey of batchKeys) if (await cancelUnended(context, { accountId, batchKey })) batches++
  let messages = 0
  for (let first = 0; first < msgKeys.length; first += messagesPerTransaction)
    messages += await cancelScheduled(
      database,
      accountId,
      msgKeys.slice(first, first + messagesPerTransaction),
    )
  return { batches, messages }
}

/** Returns false if the batch has ended, or was deleted, since it was listed. */
async function cancelUnended(context: BatchContext, id: BatchId): Promise<boolean> {
  try {
    await changeBatch(context, id, 'cancel')
    return true
  } catch (error) {
    if (error instanceof Problem && (error.code === 'A350' || error.code === 'A351')) return false
    throw error
  }
}
