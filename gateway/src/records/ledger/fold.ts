/**
 * Aggregates the appended counts of the ledger into one row per account and day, and the days that are past
 * and balanced into one row per account. Concurrent workers are harmless.
 */
import type { Queryable } from '../../platform/database/database.ts'

/** Rows per statement, which holds its locks until it ends. */
const maxRows = 50_000

const addToFolded = `on conflict (day, account_id) where folded do update
         set accepted = l.accepted + excluded.accepted, closed = l.closed + excluded.closed`

/**
 * Adds the appended counts to the row of their account and day, and those with a process to `gate_counts`. Rows are written in one
 * order, so that two workers, or a worker and an API process, do not deadlock.
 */
export async function foldLedger(database: Queryable): Promise<void> {
  for (;;) {
    const folded = await database.query<{ rows: number }>(
      `with taken as (
         delete from ledger
          where ctid = any(array(select ctid from ledger where not folded limit ${maxRows} for update skip locked))
         returning day, account_id, accepted, closed, recorded, process, minute),
       days as (
         insert into ledger as l (day, account_id, accepted, closed, folded)
         select day, account_id, sum(accepted), sum(closed), true
           from taken group by day, account_id having sum(accepted) <> 0 or sum(closed) <> 0
          order by day, account_id
         ${addToFolded}),
       gate as (
         insert into gate_counts as g (minute, process, account_id, confirmed, recorded)
         select minute, process, account_id, 0, sum(recorded)
           from taken where process is not null group by minute, process, account_id
          order by minute, process, account_id
         on conflict (minute, process, account_id) do update set recorded = g.recorded + excluded.recorded)
       select count(*) as rows from taken`,
    )
    if (folded.rows[0]!.rows < maxRows) return
  }
}

/** Day of the rows that hold the sums of past days. The check ignores it: only balanced days are added. */
export const pastDay = '1970-01-01'

/**
 * Adds days that are past and balanced to one row per account, so that the ledger and its checks do not grow with history. A later
 * count of such a day starts a new row, which the check sees.
 */
export async function foldPastDays(database: Queryable): Promise<void> {
  await database.query(
    `with taken as (
       delete from ledger
        where ctid = any(array(select ctid from ledger
                                where folded and day > date '${pastDay}' and day < (now() at time zone 'UTC')::date - 3
                                  and accepted = closed
                                limit ${maxRows} for update skip locked))
       returning account_id, accepted, closed)
     insert into ledger as l (day, account_id, accepted, closed, folded)
     select date '${pastDay}', account_id, sum(accepted), sum(closed), true
       from taken group by account_id order by account_id
     ${addToFolded}`,
  )
}
