import { createMsgKey } from '../../src/contract/msg-key.ts'
import type { Queryable } from '../../src/platform/database/database.ts'
import type { BatchState } from '../../src/records/batches/transitions.ts'

export interface BatchDraft {
  readonly state: BatchState
  readonly ref?: string
  readonly speed?: number
  readonly hoursFrom?: string
  readonly hoursTo?: string
  readonly lines?: number
  readonly duplicates?: number
  readonly refused?: number
  readonly cancelled?: number
  readonly messages?: number
  readonly codes?: Readonly<Record<string, number>>
}

/** Inserts a batch with these counts and without lines. */
export async function insertBatch(
  database: Queryable,
  accountId: number,
  draft: BatchDraft,
): Promise<{ readonly id: number; readonly batchKey: string }> {
  const { state, ref, speed, hoursFrom, hoursTo, codes = {} } = draft
  const { lines = 0, duplicates = 0, refused = 0, cancelled = 0, messages = 0 } = draft
  const batchKey = createMsgKey('00', new Date())
  const { rows } = await database.query<{ id: number }>(
    `insert into batches (batch_key, account_id, idempotency_key, fingerprint, content, state, ref, speed, hours_from, hours_to,
                          lines, duplicates, refused, cancelled, messages, codes)
     values ($1, $2, $1, '', '{}', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning id`,
    [
      ...[batchKey, accountId, state, ref, speed, hoursFrom, hoursTo],
      ...[lines, duplicates, refused, cancelled, messages, codes],
    ],
  )
  return { id: rows[0]!.id, batchKey }
}
