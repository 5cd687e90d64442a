/**
 * Finds steps that nothing will submit: not claimed, not waiting, not parked. Their job was in a queue; if it still is
 * there after minutes, or only in the memory of a process, a second one does no harm, because a step is claimed once.
 */
import type { LaneSetting } from '../../channels/lane.ts'
import type { Step } from '../../channels/channel.ts'
import { readContents, type SealedRow } from '../../jobs/sealed.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { KeyRange } from '../attempts/recent.ts'
import type { StartedStep } from './advance.ts'

const isLostSql = `f.state = 'unclaimed'
   and not exists (select from waiting w where w.msg_key = f.msg_key)
   and not exists (select from parked p where p.msg_key = f.msg_key)`

/** Returns up to `limit` steps of each range of message keys. */
export async function findLostSteps(
  database: Queryable,
  ranges: readonly KeyRange[],
  limit: number,
): Promise<StepKey[]> {
  const { rows } = await database.query<StepKey>({
    name: 'find-lost-steps',
    text: `select f.msg_key as "msgKey", f.step, f.try from unnest($1::text[], $2::text[]) as r (from_key, before_key)
             cross join lateral (
               select msg_key, step, try from in_flight f
                where msg_key >= r.from_key and msg_key < r.before_key and ${isLostSql}
                order by msg_key limit $3) f`,
    values: [ranges.map(({ fromKey }) => fromKey), ranges.map(({ beforeKey }) => beforeKey), limit],
  })
  return rows
}

type LostRow = Omit<StartedStep, 'content' | 'accountLane'> &
  SealedRow & { readonly accountLane: LaneSetting | null; readonly content: Step | null }

/** Reads those of the steps that are still lost. */
export async function readLostSteps(database: Queryable, keys: readonly StepKey[]): Promise<StartedStep[]> {
  const rows = await queryBulk<LostRow>(database, {
    name: 'read-lost-steps',
    text: `select f.msg_key as "msgKey", f.step, f.try, f.account_id as "accountId", m.flow -> (f.step - 1) as content, m.sealed,
                  case when f.batch_id is null then (select lane from accounts where id = f.account_id) else 'bulk' end as "accountLane"
             from unnest($1::text[], $2::smallint[], $3::smallint[]) as k (msg_key, step, try)
             join in_flight f on f.msg_key = any (array[k.msg_key]) and f.step = k.step and f.try = k.try
             left join messages m on m.msg_key = any (array[k.msg_key])
            where ${isLostSql}`,
    columns: columns(keys, ({ msgKey, step, try: nth }) => [msgKey, step, nth]),
  })
  const contents = await readContents(rows)
  return rows.map(({ msgKey, step, try: nth, accountId, accountLane, content }) => ({
    msgKey,
    step,
    try: nth,
    accountId,
    accountLane,
    content: contents.get(msgKey)?.steps[step - 1] ?? content,
  }))
}
