/** Appends to the ledger and reads it per account. Counts are appended, so that no transaction waits for another one's row. */
import { columns, queryBulk } from '../../platform/bulk.ts'
import type { Queryable } from '../../platform/database.ts'

/** Counts by account and UTC day of acceptance (`yyyyMMdd`), to be appended in the caller's transaction. */
export interface LedgerEntry {
  readonly day: string
  readonly accountId: number
  readonly count: number
}

export async function appendToLedger(
  transaction: Queryable,
  column: 'accepted' | 'closed',
  entries: readonly LedgerEntry[],
): Promise<void> {
  const accepted = column === 'accepted' ? 'count' : '0'
  const closed = column === 'closed' ? 'count' : '0'
  await queryBulk(transaction, {
    name: `ledger-${column}`,
    text: `insert into ledger (day, account_id, accepted, closed)
           select day, account_id, ${accepted}, ${closed}
             from unnest($1::date[], $2::int[], $3::bigint[]) as entry (day, account_id, count)`,
    columns: columns(entries, (entry) => [entry.day, entry.accountId, entry.count]),
  })
}

/** Counts messages per account and day. */
export function countByDay(
  messages: Iterable<{ readonly msgKey: string; readonly accountId: number }>,
): LedgerEntry[] {
  const counts = new Map<string, { day: string; accountId: number; count: number }>()
  for (const { msgKey, accountId } of messages) {
    const day = msgKey.slice(0, 8)
    const key = `${day}/${accountId}`
    const entry = counts.get(key)
    if (entry === undefined) counts.set(key, { day, accountId, count: 1 })
    else entry.count++
  }
  return [...counts.values()]
}

export interface LedgerRow {
  readonly accountId: number
  readonly clientId: string
  readonly accepted: number
  readonly final: number
  readonly inFlight: number
  readonly gap: number
}

/**
 * Per account, in one snapshot. `accepted` and `final` are the counts that the stages appended; `inFlight` is counted from
 * the rows themselves. A message that is lost, recorded twice or closed twice shows as a gap.
 */
export async function readLedger(database: Queryable): Promise<LedgerRow[]> {
  const result = await database.query<LedgerRow>(
    `with booked as (select account_id, sum(accepted)::bigint as accepted, sum(closed)::bigint as closed
                       from ledger group by account_id),
          open as (select account_id, count(*) as in_flight from in_flight group by account_id)
     select account_id as "accountId", coalesce(a.client_id, '?') as "clientId",
            coalesce(b.accepted, 0) as accepted, coalesce(b.closed, 0) as final, coalesce(o.in_flight, 0) as "inFlight",
            coalesce(b.accepted, 0) - coalesce(b.closed, 0) - coalesce(o.in_flight, 0) as gap
       from booked b full join open o using (account_id) left join accounts a on a.id = account_id
      order by account_id`,
  )
  return result.rows
}
