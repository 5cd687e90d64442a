/** Batches with lines, in the state that the check leaves them in. */
import { createMsgKey } from '../../src/contract/msg-key.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { packLines, type BatchLine } from '../../src/records/batches/lines.ts'

export interface CheckedBatch {
  readonly pages?: readonly (readonly BatchLine[])[]
  /** Result codes of lines of the first page, by their index. Each counts as a duplicate. */
  readonly codes?: Readonly<Record<number, string>>
  readonly messageFlow?: readonly object[]
  readonly speed?: number
  readonly endBy?: Date
  readonly hours?: readonly [from: string, to: string]
}

export function createLines(count: number, first = 0): BatchLine[] {
  return Array.from({ length: count }, (_, n) => ({ to: `010${String(10_000_000 + first + n)}` }))
}

/** Inserts a running batch that is due, and returns its id. */
export async function insertRunningBatch(
  database: Database,
  accountId: number,
  { pages = [createLines(3)], codes = {}, speed, endBy, hours, ...flow }: CheckedBatch = {},
): Promise<number> {
  const { messageFlow = [{ sms: { from: '0234567890', text: 'hello' } }] } = flow
  const batchKey = createMsgKey('00', new Date())
  const lines = pages.flat().length
  const { rows } = await database.query<{ id: number }>(
    `insert into batches (batch_key, account_id, idempotency_key, fingerprint, content, state, speed, end_by, hours_from, hours_to,
                          lines, duplicates, next_part)
     values ($1, $2, $1, '', $3, 'running', $4, $5, $6, $7, $8, $9, 1) returning id`,
    [
      ...[batchKey, accountId, JSON.stringify({ messageFlow }), speed, endBy, hours?.[0], hours?.[1], lines],
      Object.keys(codes).length,
    ],
  )
  const { id } = rows[0]!
  await database.query(`insert into batch_parts (batch_id, part, sha256, lines) values ($1, 1, '', $2)`, [
    id,
    lines,
  ])
  for (const [page, content] of pages.entries()) {
    const packed = await packLines({ batchKey, part: 1, page }, content)
    await database.query(
      `insert into batch_pages (batch_id, part, page, lines, content, is_sealed, hashes, codes)
       values ($1, 1, $2, $3, $4, $5, '{}', $6)`,
      [id, page, content.length, packed.content, packed.isSealed, page === 0 ? codes : {}],
    )
  }
  return id
}
