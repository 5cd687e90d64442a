/**
 * Finds the files that only certain messages of an account use: no other stored message and no form refers to them. It reads the account's
 * messages since the oldest of the files was uploaded, and stops when each file was found in another message.
 */
import { isoTimeOfKey } from '../contract/msg-key.ts'
import type { Queryable } from '../platform/database.ts'
import { contentsOf, contentsSince, type MessageContent } from '../records/messages/contents.ts'
import { withdrawFiles } from './queries.ts'

export async function findUnshared(
  database: Queryable,
  accountId: number,
  msgKeys: readonly string[],
): Promise<string[]> {
  const used = new Set<string>()
  for await (const page of contentsOf(database, accountId, msgKeys))
    for (const key of keysIn(page)) used.add(key)
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
  for (const key of keysIn(forms.rows)) unshared.delete(key)
  const own = new Set(msgKeys)
  const uploadedAt = new Date(isoTimeOfKey(oldest)!)
  for await (const page of contentsSince(database, accountId, uploadedAt)) {
    for (const key of keysIn(page.filter(({ msgKey }) => !own.has(msgKey)))) unshared.delete(key)
    if (unshared.size === 0) break
  }
  return [...unshared]
}

/** Hides the files from sends; a worker deletes their bytes within the hour. Returns how many there were. */
export async function withdraw(
  database: Queryable,
  accountId: number,
  keys: readonly string[],
): Promise<number> {
  let withdrawn = 0
  for (const key of keys) withdrawn += (await withdrawFiles(database, accountId, { key, limit: 1 })).length
  return withdrawn
}

/** Whatever looks like a key: as it is, as media, or in the URL of an image. */
function keysIn(content: readonly (MessageContent | { readonly flow: unknown })[]): string[] {
  return JSON.stringify(content).match(/(?<!\d)\d{17}[0-9A-Z]{23}/g) ?? []
}
