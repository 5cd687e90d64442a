/**
 * Finds parked jobs to one number: of messages that were never recorded, of receipts, and unreadable ones.
 * Reads all parked jobs, of which there are few.
 */
import { getSealed, addContent } from '../../jobs/sealed.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { normalizeRecipient } from '../../platform/recipient.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import { storedForms, recipientTail, toStoredRecipient } from '../../records/attempts/identifiers.ts'
import { listParked, type StoredParkedJob } from '../../records/parked/queries.ts'
import { asRecord, parseJob } from '../../records/parked/read.ts'

const pageSize = 200

/**
 * Returns the IDs of the jobs, as `postern parked list` shows them. Receipts have no account, so those of all
 * accounts are found.
 */
export async function findParkedTo(
  database: Queryable,
  accountId: number,
  number: string,
): Promise<number[]> {
  const ids: number[] = []
  for (let after = 0; ;) {
    const rows = await listParked(database, after, pageSize)
    await messageCipher.loadKeys(rows.map(({ payload }) => getSealed(parseJob(payload))))
    ids.push(...rows.filter((row) => isTo(row, accountId, number)).map(({ id }) => id))
    if (rows.length < pageSize) return ids
    after = rows.at(-1)!.id
  }
}

function isTo({ payload }: StoredParkedJob, accountId: number, number: string): boolean {
  const job = asRecord(readContent(payload))
  if (typeof job['accountId'] === 'number' && job['accountId'] !== accountId) return false
  const { to, recipient } = job
  if (typeof to === 'string') return normalizeRecipient(to) === normalizeRecipient(number)
  const tail = recipientTail(number)
  if (typeof recipient === 'string') return storedForms(tail).includes(toStoredRecipient(recipient))
  return tail !== '' && payload.includes(tail)
}

/** Omits the content if the key of its day is destroyed. */
function readContent(payload: Buffer): unknown {
  const job = parseJob(payload)
  try {
    return addContent(job)
  } catch {
    return job
  }
}
