/** Audits a search of traffic records with masked numbers, and resolves its accounts. */
import { loadAccountIds } from '../../identity/accounts/queries.ts'
import { maskMobile, maskNumber } from '../../channels/numbers.ts'
import type { Database } from '../../platform/database/database.ts'
import { normalizeRecipient } from '../../platform/recipient.ts'
import type { Encryption } from '../../platform/encryption/encryption.ts'
import type { TrafficQuery } from '../../records/traffic/queries.ts'
import { requireAccountId } from '../find-account.ts'
import type { AuditRecorder } from '../audit-recorder.ts'

export interface TrafficRequest {
  readonly recipient: string | undefined
  readonly sender: string | undefined
  /** Client ID; all accounts if undefined. */
  readonly account: string | undefined
}

/** Returns the criteria of the search; null if no recipient has been indexed yet, so that no record can match. */
export async function authorizeTrafficSearch(
  database: Database,
  audit: AuditRecorder,
  encryption: Encryption,
  { recipient, sender, account }: TrafficRequest,
): Promise<Pick<TrafficQuery, 'accountIds' | 'indexes' | 'sender'> | null> {
  // Mask the normalized recipient: characters that the search ignores must not replace its last digits.
  const target = [
    ...(recipient === undefined ? [] : [maskNumber(normalizeRecipient(recipient))]),
    ...(sender === undefined ? [] : [`from ${maskMobile(sender)}`]),
  ].join(' ')
  await audit.recordAccess({ target, ...(account === undefined ? {} : { account }) })
  const accountIds =
    account === undefined ? await loadAccountIds(database) : [await requireAccountId(database, account)]
  if (recipient === undefined) return { accountIds, indexes: undefined, sender }
  const index = await encryption.findBlindIndex(database)
  if (index === undefined) return null
  return { accountIds, indexes: accountIds.map((id) => index.of(recipient, id)), sender }
}
