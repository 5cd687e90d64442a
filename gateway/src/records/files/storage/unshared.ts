/**
 * Finds the files that only certain messages of an account use: no other stored message, no form and no batch that
 * has not ended refers to them. Reads the account's messages since the oldest of the files was uploaded, and stops once each file was
 * found in another message.
 */
import { formatKeyTime } from '../../../contract/msg-key.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { unpackContent, type BatchContent, type StoredContent } from '../../batches/lines.ts'
import { readStoredContents, readContentsSince, type StoredMessageContent } from '../../messages/contents.ts'
import { withdrawFiles } from '../queries.ts'

export async function findUnsharedFiles(
  database: Queryable,
  accountId: number,
  msgKeys: readonly string[],
): Promise<string[]> {
  const used = new Set<string>()
  for await (const page of readStoredContents(database, accountId, msgKeys))
    for (const key of findKeys(page)) used.add(key)
  if (used.size === 0) return []
  const stored = await database.query<{ key: string }>(
    'select key from files where account_id = $1 and key = any($2) and stored order by key',
    [accountId, [...used]],
  )
  const unshared = new Set(stored.rows.map(({ key }) => key))
  const [oldest] = unshared
  if (oldest === undefined) return []
  const forms = await database.query<{ flow: unknown }>('select flow from forms where account_id = $1', [
    accountId,
  ])
  for (const key of findKeys([...forms.rows, ...(await readBatchContents(database, accountId))]))
    unshared.delete(key)
  const given = new Set(msgKeys)
  const uploadedAt = new Date(formatKeyTime(oldest)!)
  for await (const page of readContentsSince(database, accountId, uploadedAt)) {
    for (const key of findKeys(page.filter(({ msgKey }) => !given.has(msgKey)))) unshared.delete(key)
    if (unshared.size === 0) break
  }
  return [...unshared]
}

/** Reads the contents of batches that can still create messages. */
async function readBatchContents(database: Queryable, accountId: number): Promise<BatchContent[]> {
  const { rows } = await database.query<StoredContent & { batchKey: string }>(
    `select batch_key as "batchKey", content, sealed from batches where account_id = $1 and ended_at is null`,
    [accountId],
  )
  const contents = await Promise.all(rows.map((row) => unpackContent(row.batchKey, row)))
  return contents.filter((content) => content !== null)
}

/** Hides the files from sends and returns their number; a worker deletes their bytes within the hour. */
export async function withdraw(
  database: Queryable,
  accountId: number,
  keys: readonly string[],
): Promise<number> {
  let withdrawn = 0
  for (const key of keys) withdrawn += (await withdrawFiles(database, accountId, { key, limit: 1 })).length
  return withdrawn
}

/** Finds everything that looks like a key: plain, as RCS media, or in the URL of an image. */
function findKeys(
  content: readonly (StoredMessageContent | BatchContent | { readonly flow: unknown })[],
): string[] {
  return JSON.stringify(content).match(/(?<!\d)\d{17}[0-9A-Z]{23}/g) ?? []
}
