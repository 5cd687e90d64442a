/** Finds the steps that end their message if they fail, for dispatch, whose jobs do not have the flow. */
import type { StepKey } from '../../jobs/step-key.ts'
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import type { Queryable } from '../../platform/database/database.ts'

/** Returns the keys of the messages whose given step is the last of their flow. `keys` has at most one step of each message. */
export async function findLastSteps(
  database: Queryable,
  keys: readonly Pick<StepKey, 'msgKey' | 'step'>[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const rows = await queryBulk<{ msgKey: string }>(database, {
    name: 'find-last-steps',
    text: `select m.msg_key as "msgKey"
             from unnest($1::text[], $2::smallint[]) as k (msg_key, step)
             join messages m on m.msg_key = any (array[k.msg_key])
            where json_array_length(m.flow) <= k.step`,
    columns: columns(keys, ({ msgKey, step }) => [msgKey, step]),
  })
  return new Set(rows.map(({ msgKey }) => msgKey))
}
