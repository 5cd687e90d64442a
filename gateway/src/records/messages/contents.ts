/** Reads the contents of stored messages and decrypts them if necessary. */
import type { Step } from '../../channels/channel.ts'
import { readContents, type MessagePlaintext, type SealedRow } from '../../jobs/sealed.ts'
import type { Queryable } from '../../platform/database/database.ts'

export interface StoredMessageContent extends MessagePlaintext {
  readonly msgKey: string
}

const pageSize = 1_000

/** Reads those of the messages that belong to the account. */
export async function findContents(
  database: Queryable,
  accountId: number,
  msgKeys: readonly string[],
): Promise<StoredMessageContent[]> {
  const { rows } = await database.query<SealedRow & { recipient: string; flow: readonly Step[] }>({
    name: 'find-contents',
    text: `select msg_key as "msgKey", recipient, flow, sealed from messages where msg_key = any ($2) and account_id = $1`,
    values: [accountId, msgKeys],
  })
  const contents = await readContents(rows)
  return rows.map(({ msgKey, recipient, flow }) => {
    const { to, steps } = contents.get(msgKey) ?? { to: recipient, steps: flow }
    return { msgKey, to, steps }
  })
}

/** Reads the account's open messages, and at least those that were reported since `since`, in pages. */
export async function* readContentsSince(
  database: Queryable,
  accountId: number,
  since: Date,
): AsyncGenerator<StoredMessageContent[]> {
  const open = await database.query<{ msgKey: string }>(
    'select msg_key as "msgKey" from in_flight where account_id = $1',
    [accountId],
  )
  yield* readStoredContents(
    database,
    accountId,
    open.rows.map(({ msgKey }) => msgKey),
  )
  for (let beforeSeq = Number.MAX_SAFE_INTEGER; ;) {
    const { rows } = await database.query<{ msgKey: string; seq: number; createdAt: Date }>(
      `select msg_key as "msgKey", seq, created_at as "createdAt" from reports
        where account_id = $1 and seq < $2 order by seq desc limit ${pageSize}`,
      [accountId, beforeSeq],
    )
    yield* readStoredContents(
      database,
      accountId,
      rows.map(({ msgKey }) => msgKey),
    )
    const oldest = rows.at(-1)
    if (oldest === undefined || oldest.createdAt < since) return
    beforeSeq = oldest.seq
  }
}

export async function* readStoredContents(
  database: Queryable,
  accountId: number,
  msgKeys: readonly string[],
): AsyncGenerator<StoredMessageContent[]> {
  for (let first = 0; first < msgKeys.length; first += pageSize)
    yield await findContents(database, accountId, msgKeys.slice(first, first + pageSize))
}
