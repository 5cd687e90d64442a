/** Reads the contents of an account's stored messages, encrypted or not, in pages. For occasional requests: it reads them all. */
import type { Step } from '../../channels/channel.ts'
import { readContents, type SealedRow } from '../../jobs/sealed.ts'
import type { Queryable } from '../../platform/database.ts'

export interface MessageContent {
  readonly msgKey: string
  readonly steps: readonly Step[]
}

const pageSize = 1_000

/** `from`: the beginning of a msgKey, which is the time that the message was accepted or is scheduled for. */
export async function* pagesOfContents(
  database: Queryable,
  accountId: number,
  from: string,
): AsyncGenerator<MessageContent[]> {
  for (let after = from; ;) {
    const page = await read(database, 'm.account_id = $1 and m.msg_key > $2', [accountId, after])
    yield page
    if (page.length < pageSize) return
    after = page.at(-1)!.msgKey
  }
}

export async function* contentsOf(
  database: Queryable,
  msgKeys: readonly string[],
): AsyncGenerator<MessageContent[]> {
  for (let first = 0; first < msgKeys.length; first += pageSize)
    yield await read(database, 'm.msg_key = any($1)', [msgKeys.slice(first, first + pageSize)])
}

async function read(
  database: Queryable,
  condition: string,
  values: readonly unknown[],
): Promise<MessageContent[]> {
  const { rows } = await database.query<SealedRow & { readonly flow: readonly Step[] }>(
    `select m.msg_key as "msgKey", m.flow, m.sealed from messages m
      where ${condition} order by m.msg_key limit ${pageSize}`,
    [...values],
  )
  const contents = await readContents(rows)
  return rows.map(({ msgKey, flow }) => ({ msgKey, steps: contents.get(msgKey)?.steps ?? flow }))
}
