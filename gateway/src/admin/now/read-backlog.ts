/** Who waits for which routes and for how long, of a bounded number of steps, and which accounts send. Called by `read.ts`. */
import type { Queryable } from '../../platform/database.ts'
import type { Backlog } from './cause-figures.ts'
import { maxWaiting } from './read-routes.ts'

export interface BacklogRead {
  readonly backlog: Backlog
  /** Seconds that the oldest step has waited which could be submitted now, by share. */
  readonly waitingSeconds: Readonly<Record<string, number>>
}

interface AccountRow {
  readonly account: string | null
  readonly accepted: number
  readonly waiting: number
  readonly oldestSeconds: number
}

interface Row {
  readonly due: number
  readonly waitingSeconds: Readonly<Record<string, number>>
  readonly accounts: readonly AccountRow[]
  readonly othersSeconds: number
  readonly othersSend: boolean
}

const maxAccounts = 5
const lately = `minute >= date_trunc('minute', now()) - interval '1 minute'`

/** Steps whose time has not come, because they are scheduled or held by a rule, do not wait for a route. */
export async function readBacklog(database: Queryable): Promise<BacklogRead> {
  const { rows } = await database.query<Row>(
    `with due as materialized (
       -- By their indexes: steps that are scheduled for later have no route yet, and may be millions.
       (select route_id, account_id, release_at from waiting where route_id > '' and release_at <= now() limit ${maxWaiting})
       union all
       (select route_id, account_id, release_at from waiting
         where route_id = '' and lane = any(array['urgent', 'normal', 'bulk']) and release_at <= now() limit ${maxWaiting})),
     busy as materialized (
       select account_id, count(*) as waiting, min(release_at) as oldest from due group by account_id
        order by waiting desc limit ${maxAccounts}),
     first as (select account_id from busy order by waiting desc limit 1),
     sent as (
       select account_id, sum(confirmed)::bigint as accepted from gate_counts
        where ${lately} and account_id in (select account_id from busy) group by account_id)
     select (select count(*) from due) as due,
            (select coalesce(json_object_agg(route_id, extract(epoch from now() - oldest)), '{}')
               from (select route_id, min(release_at) as oldest from due group by route_id) r) as "waitingSeconds",
            (select coalesce(json_agg(json_build_object('account', a.client_id, 'accepted', coalesce(s.accepted, 0), 'waiting', b.waiting,
                       'oldestSeconds', extract(epoch from now() - b.oldest)) order by b.waiting desc), '[]')
               from busy b left join accounts a on a.id = b.account_id left join sent s on s.account_id = b.account_id) as accounts,
            coalesce(extract(epoch from now() - (select min(release_at) from due
               where account_id <> (select account_id from first))), 0)::float8 as "othersSeconds",
            case when exists (select from first)
                 then exists (select from gate_counts
                               where ${lately} and confirmed > 0 and account_id <> (select account_id from first))
                 else false end as "othersSend"`,
  )
  const { due, waitingSeconds, accounts, othersSeconds, othersSend } = rows[0]!
  return {
    waitingSeconds,
    backlog: {
      ...{ due, othersSeconds: tenths(othersSeconds), othersSend },
      accounts: accounts.map(({ account, accepted, waiting, oldestSeconds }) => ({
        ...{ account: account ?? '', accepted, waiting, oldestSeconds: tenths(oldestSeconds) },
      })),
    },
  }
}

function tenths(seconds: number): number {
  return Math.round(seconds * 10) / 10
}
