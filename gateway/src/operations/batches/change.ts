/** Pauses, resumes and cancels batches for operators, with the transitions that clients use. */
import type { Database } from '../../platform/database/database.ts'
import { cancelBatch, pauseBatch, resumeBatch } from '../../records/batches/transitions.ts'
import type { AuditRecorder } from '../audit-recorder.ts'
import { OperationError } from '../errors.ts'
import { describeBatch, requireBatch } from './describe.ts'

const verbs = {
  pause: { transit: pauseBatch, result: 'paused' },
  resume: { transit: resumeBatch, result: 'running' },
  cancel: { transit: cancelBatch, result: 'cancelled' },
} as const

/** Does nothing if the batch is already in the resulting state. */
export async function changeBatch(
  database: Database,
  audit: AuditRecorder,
  batchKey: string,
  verb: keyof typeof verbs,
): Promise<void> {
  const { id } = await requireBatch(database, batchKey)
  const { transit, result } = verbs[verb]
  await audit.change(async (transaction) => {
    const isChanged = await transit(transaction, id)
    const batch = await requireBatch(transaction, batchKey)
    if (!isChanged && batch.state !== result)
      throw new OperationError('refused', `batch '${batchKey}' is ${batch.state}`, {
        facts: { state: batch.state },
      })
    const { waiting, cancelled, messages, open } = describeBatch(batch)
    const details = { ref: batch.ref, waiting, cancelled, messages, open }
    return [undefined, isChanged ? { target: batchKey, account: batch.clientId, details } : null]
  })
}
