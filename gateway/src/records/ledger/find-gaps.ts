/** Compares the ledger with the open messages, over ranges of days. Called by the periodic check and `postern ledger`. */
import { columns, queryBulk } from '../../platform/bulk.ts'
import type { Queryable } from '../../platform/database.ts'
import { dayOf, dayOfKey } from '../partitions.ts'
import { pastDay } from './fold.ts'

export interface LedgerGap {
  /** UTC day of acceptance, `yyyyMMdd`. */
  readonly day: string
  readonly accountId: number
  readonly accepted: number
  readonly final: number
  readonly inFlight: number
  readonly gap: number
}

/** Message keys from `from` until before `to`, and the days of the ledger that belong to them. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

const firstKey = ''
/** After every key. */
const noKey = '\u{10ffff}'

const allDays: DayRange = { from: firstKey, to: noKey }

/** Everything that is or was to be sent: scheduled messages have the day of their sending. */
export function untilToday(now: Date): DayRange {
  return { from: firstKey, to: dayOf(now, 1) }
}

/** `day` itself, or everything from it on when it is later than any message may be scheduled. */
export function futureRange(day: string, now: Date): DayRange {
  const date = dayOfKey(day)
  const isOneDay = date !== undefined && day < lastFutureDay(now)
  return { from: day, to: isOneDay ? dayOf(date, 1) : noKey }
}

/** Messages are scheduled up to 60 days ahead; keys from here on are wrong, and are checked together. */
export function lastFutureDay(now: Date): string {
  return dayOf(now, 63)
}

/**
 * Accounts and days whose ledger and rows disagree. One statement, so one snapshot: a message that is recorded or closed
 * meanwhile is seen entirely or not at all. It reads the open messages of the ranges by their keys, 1,000,000 rows in 2.4 s
 * on one of two busy cores, and takes no lock that blocks the traffic.
 */
export function findGaps(
  transaction: Queryable,
  ranges: readonly DayRange[] = [allDays],
): Promise<LedgerGap[]> {
  return queryBulk<LedgerGap>(transaction, {
    text: `with range as (select * from unnest($1::text[], $2::text[], $3::date[], $4::date[])
                            as r (key_from, key_to, day_from, day_to)),
          booked as (select to_char(day, 'YYYYMMDD') as day, account_id, sum(accepted)::bigint as accepted,
                            sum(closed)::bigint as closed
                       from range r cross join lateral (
                         select day, account_id, accepted, closed from ledger
                          where folded and day >= r.day_from and day < r.day_to
                         union all
                         select day, account_id, accepted, closed from ledger
                          where not folded and day >= r.day_from and day < r.day_to) l
                      group by day, account_id),
          open as (select left(msg_key, 8) as day, account_id, count(*) as in_flight
                     from range r join in_flight f on f.msg_key >= r.key_from and f.msg_key < r.key_to
                    group by 1, 2)
     select day, account_id as "accountId", coalesce(b.accepted, 0) as accepted, coalesce(b.closed, 0) as final,
            coalesce(o.in_flight, 0) as "inFlight",
            coalesce(b.accepted, 0) - coalesce(b.closed, 0) - coalesce(o.in_flight, 0) as gap
       from booked b full join open o using (day, account_id)
      where coalesce(b.accepted, 0) - coalesce(b.closed, 0) <> coalesce(o.in_flight, 0)
      order by day, account_id`,
    columns: columns(ranges, ({ from, to }) => [from, to, dateOf(from), dateOf(to)]),
  })
}

/** The sums of past days are left out, see `fold.ts`. */
function dateOf(key: string): string {
  if (key === firstKey) return dayOf(new Date(pastDay), 1)
  return key === noKey ? 'infinity' : key
}
