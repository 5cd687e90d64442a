/**
 * `postern account erase-recipient`: erases the text and recipient of closed messages to one number, its replies, and the
 * images that only these messages use. Parked jobs that name the number are printed, because an operator has to decide on each.
 */
import { maskNumber } from '../../channels/numbers.ts'
import { findUnshared, withdraw } from '../../files/unshared.ts'
import { findParkedTo } from '../../parked/find.ts'
import type { Database } from '../../platform/database.ts'
import type { BlindIndex } from '../../platform/encryption/blind-index.ts'
import { openEncryption } from '../../platform/encryption/encryption.ts'
import { eraseRecipient, type ErasedRecipient } from '../../records/messages/erase.ts'
import { eraseRepliesOf } from '../../records/replies/queries.ts'
import { openMessageCipher, withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import type { MessageSetting } from '../setting-lists.ts'
import { requireAccountId } from './view.ts'

interface Erasure extends ErasedRecipient {
  readonly files: number
  /** Replies of the number to the account. */
  readonly replies: number
  /** Numbers of parked jobs. */
  readonly parked: readonly number[]
}

export async function eraseAccountRecipient(
  invocation: Invocation<MessageSetting | 'cell'>,
  clientId: string,
  number: string,
): Promise<Result> {
  const done = await withDatabase(invocation, async (database, config, audit) => {
    await openMessageCipher(database, config, invocation)
    const index = await openEncryption(config).findBlindIndex(database)
    const accountId = await requireAccountId(database, clientId)
    const subject = { target: maskNumber(number), account: clientId }
    return audit.around(
      subject,
      () => erase(database, { accountId, cell: config.cell, index }, number),
      (counts) => ({ ...counts, parked: counts.parked.length }),
    )
  })
  const { erased, open, files, replies, parked } = done
  const lines = [`${clientId}: text and recipient of ${erased} messages are erased`]
  if (files > 0) lines.push(`${files} images that only these messages used are deleted within an hour`)
  if (replies > 0) lines.push(`${replies} replies of the number are deleted`)
  if (open > 0) lines.push(`${open} messages are still open; run this command again after they are closed`)
  if (parked.length > 0)
    lines.push(
      `parked jobs name the number: ${parked.join(', ')}; retry or drop them (\`postern parked\`), then run this command again`,
    )
  return { json: { clientId, erased, open, files, replies, parked }, lines }
}

async function erase(
  database: Database,
  place: { readonly accountId: number; readonly cell: string; readonly index: BlindIndex | undefined },
  number: string,
): Promise<Erasure> {
  const { accountId, index } = place
  let files = 0
  const counts = await eraseRecipient(database, accountId, number, async (msgKeys) => {
    files = await withdraw(database, place, await findUnshared(database, accountId, msgKeys))
  })
  // Without an index no reply was ever stored.
  const replies = index === undefined ? 0 : await eraseRepliesOf(database, accountId, index.of(number))
  return { ...counts, files, replies, parked: await findParkedTo(database, accountId, number) }
}
