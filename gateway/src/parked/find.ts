/**
 * Finds parked jobs to one number: of messages that were never recorded, of receipts, and what cannot be read. It reads all
 * parked jobs, of which there are few. Called by the erasure of a recipient.
 */
import { sealedOf, withContent } from '../jobs/sealed.ts'
import type { Queryable } from '../platform/database.ts'
import { normalizeRecipient } from '../platform/encryption/blind-index.ts'
import { messageCipher } from '../platform/encryption/message-cipher.ts'
import { formsOfStored, recipientTail, storedRecipient } from '../records/attempts/identifiers.ts'
import { listParked, type ParkedRow } from '../records/parked/queries.ts'
import { asRecord, parse } from '../records/parked/read.ts'

const pageSize = 200

/** Their numbers in `postern parked list`. Receipts name no account: those of all accounts are found. */
export async function findParkedTo(
  database: Queryable,
  accountId: number,
  number: string,
): Promise<number[]> {
  const found: number[] = []
  for (let after = 0; ;) {
    const rows = await listParked(database, after, pageSize)
    await messageCipher.loadKeys(rows.map(({ payload }) => sealedOf(parse(payload))))
    found.push(...rows.filter((row) => isTo(row, accountId, number)).map(({ id }) => id))
    if (rows.length < pageSize) return found
    after = rows.at(-1)!.id
  }
}

function isTo({ payload }: ParkedRow, accountId: number, number: string): boolean {
  const job = asRecord(contentOf(payload))
  if (typeof job['accountId'] === 'number' && job['accountId'] !== accountId) return false
  const { to, recipient } = job
  if (typeof to === 'string') return normalizeRecipient(to) === normalizeRecipient(number)
  const tail = recipientTail(number)
  if (typeof recipient === 'string') return formsOfStored(tail).includes(storedRecipient(recipient))
  return tail !== '' && payload.includes(tail)
}

/** Without its content when the key of its day is destroyed. */
function contentOf(payload: Buffer): unknown {
  const job = parse(payload)
  try {
    return withContent(job)
  } catch {
    return job
  }
}
