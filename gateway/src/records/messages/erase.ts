/**
 * Erases the text and the recipient of closed messages, including the recipient's digits in their attempts. Times, codes
 * and outcomes remain until the day's partition is dropped. Open messages are never touched: they are still to be sent.
 */
import type { Step } from '../../channels/channel.ts'
import { eraseAttemptRecipients } from '../attempts/attempts.ts'
import { columns, queryBulk } from '../../platform/bulk.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database.ts'

const pageSize = 1_000
const dayMs = 86_400_000

/** Erases messages of accounts with `eraseAfterDays`. Returns how many. Several workers may do it at the same time. */
export async function eraseClosed(database: Database, now: Date): Promise<number> {
  const accounts = await database.query<{ id: number; days: number }>(
    'select id, erase_after_days as days from accounts where erase_after_days is not null',
  )
  let erased = 0
  for (const { id, days } of accounts.rows) {
    const before = new Date(now.getTime() - days * dayMs)
    for (;;) {
      const page = await inTransaction(database, (transaction) => erasePage(transaction, id, before))
      erased += page.erased
      if (!page.more) break
    }
  }
  return erased
}

/** Reads the account's reports by number, which is the order in which its messages closed, so that no search is needed. */
async function erasePage(
  transaction: Queryable,
  accountId: number,
  before: Date,
): Promise<{ readonly erased: number; readonly more: boolean }> {
  const nothing = { erased: 0, more: false }
  await transaction.query('insert into erasure_progress values ($1, 0) on conflict do nothing', [accountId])
  const progress = await transaction.query<{ erased_seq: number }>(
    'select erased_seq from erasure_progress where account_id = $1 for update skip locked',
    [accountId],
  )
  const [row] = progress.rows
  if (row === undefined) return nothing
  const read = await transaction.query<{ seq: number; msg_key: string; created_at: Date }>({
    name: 'reports-to-erase',
    text: `select seq, msg_key, created_at from reports where account_id = $1 and seq > $2 order by seq limit $3`,
    values: [accountId, row.erased_seq, pageSize],
  })
  const young = read.rows.findIndex((report) => report.created_at > before)
  const due = young === -1 ? read.rows : read.rows.slice(0, young)
  const last = due.at(-1)
  if (last === undefined) return nothing
  const erased = await eraseMessages(transaction, [...new Set(due.map((report) => report.msg_key))])
  await transaction.query('update erasure_progress set erased_seq = $2 where account_id = $1', [
    accountId,
    last.seq,
  ])
  return { erased, more: due.length === pageSize }
}

/** The messages must be closed; those erased before are left as they are. */
async function eraseMessages(transaction: Queryable, keys: readonly string[]): Promise<number> {
  const found = await transaction.query<{ msg_key: string; flow: readonly Step[] }>(
    `select msg_key, flow from messages where msg_key = any($1) and recipient <> '' for update`,
    [keys],
  )
  // Rewritten here: PostgreSQL cannot access JSON that contains U+0000. The channels stay, for the message's timeline.
  const withoutContent = (flow: readonly Step[]): string =>
    JSON.stringify(flow.map(({ channel }) => ({ channel })))
  await queryBulk(transaction, {
    text: `update messages m set recipient = '', flow = e.flow
       from unnest($1::text[], $2::json[]) as e (msg_key, flow) where m.msg_key = any (array[e.msg_key])`,
    columns: columns(found.rows, ({ msg_key, flow }) => [msg_key, withoutContent(flow)]),
  })
  await eraseAttemptRecipients(
    transaction,
    found.rows.map((row) => row.msg_key),
  )
  return found.rows.length
}

export interface ErasedRecipient {
  readonly erased: number
  /** Not erased, because they are still open. */
  readonly open: number
}

/**
 * Erases all closed messages of the account to one number. There is no index by recipient, which every message would pay
 * for: this reads all stored messages and is meant for occasional requests.
 */
export async function eraseRecipient(
  database: Database,
  accountId: number,
  recipient: string,
): Promise<ErasedRecipient> {
  const found = await inTransaction(database, async (transaction) => {
    await transaction.query('set local enable_seqscan = on')
    return transaction.query<{ msg_key: string; open: boolean }>(
      `select m.msg_key, exists (select from in_flight f where f.msg_key = any (array[m.msg_key])) as open
         from messages m
        where m.account_id = $1 and m.recipient = $2`,
      [accountId, recipient],
    )
  })
  const closed = found.rows.filter((row) => !row.open).map((row) => row.msg_key)
  let erased = 0
  for (let first = 0; first < closed.length; first += pageSize) {
    const keys = closed.slice(first, first + pageSize)
    erased += await inTransaction(database, (transaction) => eraseMessages(transaction, keys))
  }
  return { erased, open: found.rows.length - closed.length }
}
