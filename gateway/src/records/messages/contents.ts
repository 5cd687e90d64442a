/** Reads the contents of an account's stored messages, encrypted or not, in pages. */
import type { Step } from '../../channels/channel.ts'
import { readContents, type SealedRow } from '../../jobs/sealed.ts'
import type { Queryable } from '../../platform/database.ts'

export interface MessageContent {
  readonly msgKey: string
  readonly steps: readonly Step[]
}

const pageSize = 1_000

/** Reads the account's open messages, and those that were reported since the time, newest report first. */
export async function* contentsSince(
  database: Queryable,
  accountId: number,
  since: Date,
): AsyncGenerator<MessageContent[]> {
  const open = await database.query<{ msgKey: string }>(
    'select msg_key as "msgKey" from in_flight where account_id = $1',
    [accountId],
  )
  yield* contentsOf(
    database,
    open.rows.map(({ msgKey }) => msgKey),
  )
  for (let beforeSeq = Number.MAX_SAFE_INTEGER; ;) {
    const { rows } = await database.query<{ msgKey: string; seq: number; createdAt: Date }>(
      `select msg_key as "msgKey", seq, created_at as "createdAt" from reports
        where account_id = $1 and seq < $2 order by seq desc limit ${pageSize}`,
      [accountId, beforeSeq],
    )
    yield* contentsOf(
      database,
      rows.map(({ msgKey }) => msgKey),
    )
    const oldest = rows.at(-1)
    if (oldest === undefined || oldest.createdAt < since) return
    beforeSeq = oldest.seq
  }
}

export async function* contentsOf(
  database: Queryable,
  msgKeys: readonly string[],
): AsyncGenerator<MessageContent[]> {
  for (let first = 0; first < msgKeys.length; first += pageSize)
    yield await read(database, msgKeys.slice(first, first + pageSize))
}

async function read(database: Queryable, msgKeys: readonly string[]): Promise<MessageContent[]> {
  const { rows } = await database.query<SealedRow & { readonly flow: readonly Step[] }>(
    'select msg_key as "msgKey", flow, sealed from messages where msg_key = any($1)',
    [msgKeys],
  )
  const contents = await readContents(rows)
  return rows.map(({ msgKey, flow }) => ({ msgKey, steps: contents.get(msgKey)?.steps ?? flow }))
}
