/**
 * The intent to submit, made durable before the carrier receives anything. After a crash, a claimed step without a
 * recorded attempt may have been submitted: its outcome is unknown, and it is never submitted again blindly. A step that
 * was not claimed was certainly not submitted.
 */
import { columns, queryBulk } from '../../platform/bulk.ts'
import type { Queryable } from '../../platform/database.ts'
import { stepId, type StepKey } from '../../jobs/step-key.ts'

export type Claim =
  /** The caller may submit it. */
  | 'claimed'
  /** Claimed earlier by a process that recorded no outcome. */
  | 'interrupted'
  /** Claimed earlier, and its outcome is recorded. */
  | 'recorded'
  /** Closed, expired or moved to another step or try. */
  | 'stale'

interface ClaimedRow {
  readonly msg_key: string
  readonly step: number
  readonly try: number
}

export async function claimSteps(database: Queryable, keys: readonly StepKey[]): Promise<Claim[]> {
  const updated = await queryBulk<ClaimedRow>(database, {
    name: 'claim-steps',
    text: `update in_flight f set state = 'submitting'
             from unnest($1::text[], $2::smallint[], $3::smallint[]) as k (msg_key, step, try)
            where f.msg_key = any (array[k.msg_key]) and f.step = k.step and f.try = k.try and f.state = 'released'
           returning f.msg_key, f.step, f.try`,
    columns: columns(keys, toValues),
  })
  const claimed = new Set(updated.map((row) => `${row.msg_key}/${row.step}/${row.try}`))
  const lost = keys.filter((key) => !claimed.has(stepId(key)))
  const verdicts = await explainLost(database, lost)
  // The same key twice in one batch: the first is claimed, the others count as recorded.
  const granted = new Set<string>()
  return keys.map((key) => {
    const id = stepId(key)
    if (!claimed.has(id)) return verdicts.get(id) ?? 'stale'
    if (granted.has(id)) return 'recorded'
    granted.add(id)
    return 'claimed'
  })
}

async function explainLost(database: Queryable, keys: readonly StepKey[]): Promise<Map<string, Claim>> {
  const rows = await queryBulk<ClaimedRow & { recorded: boolean }>(database, {
    name: 'explain-lost-claims',
    text: `select f.msg_key, f.step, f.try,
                  exists (select from attempts a
                           where a.msg_key = f.msg_key and a.step = f.step and a.try = f.try) as recorded
             from in_flight f
             join unnest($1::text[], $2::smallint[], $3::smallint[]) as k (msg_key, step, try)
               on f.msg_key = any (array[k.msg_key]) and f.step = k.step and f.try = k.try
            where f.state = 'submitting'`,
    columns: columns(keys, toValues),
  })
  return new Map(
    rows.map((row) => [`${row.msg_key}/${row.step}/${row.try}`, row.recorded ? 'recorded' : 'interrupted']),
  )
}

/** Releases a claim: the carrier certainly did not accept the step. */
export async function unclaimSteps(database: Queryable, keys: readonly StepKey[]): Promise<void> {
  await queryBulk(database, {
    name: 'unclaim-steps',
    text: `update in_flight f set state = 'released'
             from unnest($1::text[], $2::smallint[], $3::smallint[]) as k (msg_key, step, try)
            where f.msg_key = any (array[k.msg_key]) and f.step = k.step and f.try = k.try and f.state = 'submitting'`,
    columns: columns(keys, toValues),
  })
}

function toValues({ msgKey, step, try: nth }: StepKey): unknown[] {
  return [msgKey, step, nth]
}
