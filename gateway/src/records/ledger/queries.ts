/**
 * The ledger proves that no message is lost, recorded twice or closed twice: for every account and day,
 *
 * accepted = closed + in flight.
 *
 * The transaction that records or closes messages also appends their counts to the ledger (`appendToLedger`);
 * messages in flight are counted from their rows. Counts are appended, so that no transaction waits for the
 * row of another, and a worker aggregates them into one row per account and day (`fold.ts`). `check.ts`
 * compares both sides every 30 seconds, or less often if that takes long. `gate.ts` covers the stage before
 * the ledger: it compares the messages that the broker confirmed to API processes (`gate-counter.ts`) with
 * those that intake recorded.
 */
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { checkedUntil, gateGaps } from './gate.ts'

/** Number of messages of an account and day. */
export interface LedgerEntry {
  /** UTC day of acceptance, or of sending for a scheduled message (`yyyyMMdd`). */
  readonly day: string
  readonly accountId: number
  readonly count: number
  /** API process and minute of acceptance, for messages whose confirm was counted. */
  readonly process?: string | undefined
  readonly minute?: Date | undefined
}

/**
 * Appends counts. `received` counts jobs that arrived from the intake queue without becoming a message: they were
 * parked, or their message was recorded before.
 */
export async function appendToLedger(
  transaction: Queryable,
  kind: 'accepted' | 'closed' | 'received',
  entries: readonly LedgerEntry[],
): Promise<void> {
  const accepted = kind === 'accepted' ? 'count' : '0'
  const closed = kind === 'closed' ? 'count' : '0'
  await queryBulk(transaction, {
    name: `ledger-${kind}`,
    text: `insert into ledger (day, account_id, accepted, closed, recorded, process, minute)
           select day, account_id, ${accepted}, ${closed}, case when process is null then 0 else count end, process, minute
             from unnest($1::date[], $2::int[], $3::bigint[], $4::text[], $5::timestamptz[])
               as entry (day, account_id, count, process, minute)`,
    columns: columns(entries, (entry) => [
      entry.day,
      entry.accountId,
      entry.count,
      entry.process,
      entry.minute,
    ]),
  })
}

/** `acceptedBy` and `acceptedAt` are set only if the message is recorded or parked. */
export interface CountedMessage {
  readonly msgKey: string
  readonly accountId: number
  readonly acceptedBy?: string | undefined
  readonly acceptedAt?: number
}

/** Counts messages per account and day; those that name their API process also per process and minute of acceptance. */
export function countByDay(messages: Iterable<CountedMessage>): LedgerEntry[] {
  const counts = new Map<string, LedgerEntry & { count: number }>()
  for (const { msgKey, accountId, acceptedBy, acceptedAt } of messages) {
    const day = msgKey.slice(0, 8)
    const minute = acceptedBy === undefined ? 0 : startOfMinute(acceptedAt ?? 0)
    const key = `${day}/${accountId}/${acceptedBy ?? ''}/${minute}`
    const entry = counts.get(key)
    if (entry !== undefined) entry.count++
    else if (acceptedBy === undefined) counts.set(key, { day, accountId, count: 1 })
    else counts.set(key, { day, accountId, count: 1, process: acceptedBy, minute: new Date(minute) })
  }
  return [...counts.values()]
}

const minuteMs = 60_000

/** Returns the start of the minute, in milliseconds since 1970. */
export function startOfMinute(at: number): number {
  return Math.floor(at / minuteMs) * minuteMs
}

export interface LedgerRow {
  readonly accountId: number
  readonly clientId: string
  readonly accepted: number
  readonly final: number
  readonly inFlight: number
  readonly gap: number
  /**
   * Confirmed by the broker and neither recorded nor parked: lost in the intake queue, or held by a worker that cannot
   * reach PostgreSQL.
   */
  readonly unrecorded: number
}

/** Reads the ledger by account, in one snapshot. `unrecorded` is as of the last check by a worker. */
export async function readLedger(database: Queryable): Promise<LedgerRow[]> {
  const result = await database.query<LedgerRow>(
    `with booked as (select account_id, sum(accepted)::bigint as accepted, sum(closed)::bigint as closed
                       from ledger group by account_id),
          open as (select account_id, count(*) as in_flight from in_flight group by account_id),
          gate as (select account_id, sum(missing)::bigint as missing
                     from (${gateGaps(`(select ${checkedUntil} from ledger_checks)`)}) g group by account_id)
     select account_id as "accountId", coalesce(a.client_id, '?') as "clientId",
            coalesce(b.accepted, 0) as accepted, coalesce(b.closed, 0) as final, coalesce(o.in_flight, 0) as "inFlight",
            coalesce(b.accepted, 0) - coalesce(b.closed, 0) - coalesce(o.in_flight, 0) as gap,
            coalesce(g.missing, 0) as "unrecorded"
       from booked b full join open o using (account_id) full join gate g using (account_id) left join accounts a on a.id = account_id
      order by account_id`,
  )
  return result.rows
}

/** Counts the messages of one account that were recorded and have not ended. */
export async function countOpenMessages(database: Queryable, accountId: number): Promise<number> {
  const result = await database.query<{ open: number }>(
    // Each half has its own index; a condition on the account only can use neither and would read the whole table.
    `select coalesce(sum(accepted - closed), 0)::bigint as open
       from (select accepted, closed from ledger where account_id = $1 and not folded
             union all
             select accepted, closed from ledger where account_id = $1 and folded) l`,
    [accountId],
  )
  return Math.max(0, result.rows[0]!.open)
}
