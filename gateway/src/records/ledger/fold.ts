/**
 * Folds the appended counts of the ledger: one row per account and day, and one row per account for the days that are
 * past and balanced. A round reads only what was appended since the last one. Run by one worker at a time; two at the same
 * time are harmless.
 */
import type { Queryable } from '../../platform/database.ts'

/** Of one statement, which holds its locks until it ends. */
const maxRows = 50_000

const addToFolded = `on conflict (day, account_id) where folded do update
         set accepted = l.accepted + excluded.accepted, closed = l.closed + excluded.closed`

/**
 * Adds the appended counts to the row of their account and day, and those of the first queue to `gate_counts`. In one
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

/** The day of the sums of all past days. The check leaves it out: only balanced days are added to it. */
export const pastDay = '1970-01-01'

/**
 * Adds days that are past and balanced to one row per account: without it the ledger would grow by a row per account and
 * day for ever, and every check with it. What is counted for such a day later starts a row of its own, which the check sees.
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
