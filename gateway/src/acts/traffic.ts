/** Looks up traffic records, for commands and the admin API. Recorded with the last digits of the recipient, and of a sender that is a mobile number. */
import { loadAccountIds } from '../accounts/queries.ts'
import { maskMobile, maskNumber } from '../channels/numbers.ts'
import type { Database } from '../platform/database.ts'
import { normalizeRecipient } from '../platform/encryption/blind-index.ts'
import type { Encryption } from '../platform/encryption/encryption.ts'
import type { TrafficQuery } from '../records/traffic/queries.ts'
import { requireAccountId } from './accounts.ts'
import type { ActAudit } from './act-audit.ts'

export interface TrafficRequest {
  readonly recipient: string | undefined
  readonly sender: string | undefined
  /** Client id; undefined: of all accounts. */
  readonly account: string | undefined
}

/** Whose records are searched; null where none has a recipient that could be compared. */
export async function lookAtTraffic(
  database: Database,
  audit: ActAudit,
  encryption: Encryption,
  { recipient, sender, account }: TrafficRequest,
): Promise<Pick<TrafficQuery, 'accountIds' | 'indexes' | 'sender'> | null> {
  // The recipient as it is searched for: characters that the search leaves out must not take the place of its last digits.
  const target = [
    ...(recipient === undefined ? [] : [maskNumber(normalizeRecipient(recipient))]),
    ...(sender === undefined ? [] : [`from ${maskMobile(sender)}`]),
  ].join(' ')
  await audit.look({ target, ...(account === undefined ? {} : { account }) })
  const accountIds =
    account === undefined ? await loadAccountIds(database) : [await requireAccountId(database, account)]
  if (recipient === undefined) return { accountIds, indexes: undefined, sender }
  const index = await encryption.findBlindIndex(database)
  if (index === undefined) return null
  return { accountIds, indexes: accountIds.map((id) => index.of(recipient, id)), sender }
}
