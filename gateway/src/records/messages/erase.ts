/**
 * Erases the text and the recipient of closed messages: in the message, its attempts, its parked jobs, and
 * receipts to the recipient that match nothing. Times, codes and outcomes remain until the day's partition is
 * dropped. Open messages are never touched: they are still to be sent.
 */
import type { Step } from '../../channels/channel.ts'
import { eraseAttemptRecipients } from '../attempts/attempts.ts'
import { recipientTail } from '../attempts/identifiers.ts'
import { eraseOrphanRecipients } from '../attempts/orphans.ts'
import { eraseParked } from '../parked/queries.ts'
import { findByRecipient } from './search.ts'
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import { clock } from '../../platform/time/clock.ts'
import { inTransaction, type Database, type Queryable } from '../../platform/database/database.ts'

const pageSize = 1_000
const dayMs = 86_400_000

/** Minimum milliseconds between two visits of an account that has something to erase in every round. */
const minRevisitMs = 300_000

interface DueAccount {
  readonly id: number
  readonly days: number
  readonly lastSeq: number
}

/** Erases messages of accounts with `eraseAfterDays`. Returns how many. Concurrent workers are harmless. */
export async function eraseClosed(database: Database, now: Date): Promise<number> {
  const accounts = await database.query<DueAccount>(
    `select a.id, a.erase_after_days as days, s.last_seq as "lastSeq"
       from accounts a join report_sequences s on s.account_id = a.id
       left join erasure_progress p on p.account_id = a.id
      where a.erase_after_days is not null and s.last_seq > coalesce(p.erased_seq, 0)
        and coalesce(p.next_report_at, '-infinity') <= $1::timestamptz - a.erase_after_days * interval '1 day'`,
    [now],
  )
  let erased = 0
  for (const account of accounts.rows) {
    for (;;) {
      const page = await inTransaction(database, (transaction) => erasePage(transaction, account, now))
      if (page.closedAt !== null) await eraseOrphanRecipients(database, page.recipients, page.closedAt)
      erased += page.erased
      if (!page.more) break
    }
  }
  return erased
}

/** Reads the account's reports by number, which is the order in which its messages closed. */
async function erasePage(
  transaction: Queryable,
  { id, days, lastSeq }: DueAccount,
  now: Date,
): Promise<ErasedPage> {
  await transaction.query(
    'insert into erasure_progress (account_id, erased_seq) values ($1, 0) on conflict do nothing',
    [id],
  )
  const progress = await transaction.query<{ erased_seq: number }>(
    'select erased_seq from erasure_progress where account_id = $1 for update skip locked',
    [id],
  )
  const [row] = progress.rows
  if (row === undefined) return { ...nothing, closedAt: null, more: false }
  const read = await transaction.query<{ seq: number; msg_key: string; created_at: Date }>({
    name: 'reports-to-erase',
    text: `select seq, msg_key, created_at from reports where account_id = $1 and seq > $2 order by seq limit $3`,
    values: [id, row.erased_seq, pageSize],
  })
  const before = new Date(now.getTime() - days * dayMs)
  const young = read.rows.find((report) => report.created_at > before)
  const due = young === undefined ? read.rows : read.rows.filter(({ seq }) => seq < young.seq)
  const keys = [...new Set(due.map((report) => report.msg_key))]
  const erased = keys.length === 0 ? nothing : await eraseMessages(transaction, keys)
  await transaction.query(
    'update erasure_progress set erased_seq = greatest(erased_seq, $2), next_report_at = $3 where account_id = $1',
    [
      id,
      // No row is left: the reports up to `lastSeq` were dropped with their day. Otherwise the account would be found
      // again and again.
      read.rows.length === 0 ? lastSeq : (due.at(-1)?.seq ?? 0),
      young === undefined ? before : nextVisit(young.created_at, before, due.length > 0),
    ],
  )
  return { ...erased, closedAt: due.at(-1)?.created_at ?? null, more: due.length === pageSize }
}

function nextVisit(nextReportAt: Date, before: Date, isBusy: boolean): Date {
  return isBusy ? new Date(Math.max(nextReportAt.getTime(), before.getTime() + minRevisitMs)) : nextReportAt
}

interface ErasureResult {
  readonly erased: number
  /** Recipients in the form that attempts store. */
  readonly recipients: readonly string[]
}

interface ErasedPage extends ErasureResult {
  /**
   * When the last message of the page closed. A later receipt belongs to another message to the same number,
   * perhaps an open one.
   */
  readonly closedAt: Date | null
  readonly more: boolean
}

const nothing: ErasureResult = { erased: 0, recipients: [] }

/** Erases messages, which must be closed. */
async function eraseMessages(transaction: Queryable, keys: readonly string[]): Promise<ErasureResult> {
  await eraseParked(transaction, keys)
  const found = await transaction.query<{ msg_key: string; flow: readonly Step[] }>(
    `select msg_key, flow from messages where msg_key = any($1) and (recipient <> '' or sealed is not null) for update`,
    [keys],
  )
  // PostgreSQL cannot access JSON that contains U+0000. The channels stay, for the message's timeline.
  const withoutContent = (flow: readonly Step[]): string =>
    JSON.stringify(flow.map(({ channel }) => ({ channel })))
  await queryBulk(transaction, {
    text: `update messages m set recipient = '', flow = e.flow, sealed = null, recipient_index = null
       from unnest($1::text[], $2::json[]) as e (msg_key, flow) where m.msg_key = any (array[e.msg_key])`,
    columns: columns(found.rows, ({ msg_key, flow }) => [msg_key, withoutContent(flow)]),
  })
  const recipients = await eraseAttemptRecipients(
    transaction,
    found.rows.map((row) => row.msg_key),
  )
  return { erased: found.rows.length, recipients }
}

export interface RecipientErasure {
  readonly erased: number
  /** Number of open messages, which are not erased. */
  readonly open: number
}

/**
 * Erases all closed messages of the account to one number. `before` receives them while they can still be
 * read. While a message is open, receipts that match nothing keep the number: they may belong to it.
 */
export async function eraseRecipient(
  database: Database,
  accountId: number,
  recipient: string,
  before: (msgKeys: readonly string[]) => Promise<void> = () => Promise.resolve(),
): Promise<RecipientErasure> {
  const found = await findByRecipient(database, accountId, recipient)
  const closed = found.filter((row) => !row.open).map((row) => row.msgKey)
  await before(closed)
  let erased = 0
  for (let first = 0; first < closed.length; first += pageSize) {
    const keys = closed.slice(first, first + pageSize)
    erased += (await inTransaction(database, (transaction) => eraseMessages(transaction, keys))).erased
  }
  const open = found.length - closed.length
  if (open === 0) await eraseOrphanRecipients(database, [recipientTail(recipient)], clock.date())
  return { erased, open }
}
