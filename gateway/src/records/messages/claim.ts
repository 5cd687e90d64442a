/**
 * The intent to submit, made durable before the carrier hears of it. After a crash a claimed step without a
 * recorded attempt was perhaps submitted: it is `unknown`, never sent again blindly; a step that was not
 * claimed surely was not.
 */
import { columns, queryBulk } from '../../platform/bulk.ts'
import type { Queryable } from '../../platform/database.ts'
import { stepId, type StepKey } from '../../jobs/step-key.ts'

export type Claim =
  /** Ours to submit. */
  | 'claimed'
  /** Claimed earlier by somebody who never recorded an outcome. */
  | 'interrupted'
  /** Claimed earlier, and its outcome is recorded. */
  | 'recorded'
  /** Closed, expired or gone on to another step or try. */
  | 'stale'

interface ClaimedRow {
  readonly msg_key: string
  readonly step: number
  readonly try: number
}

export async function claimSteps(database: Queryable, keys: readonly StepKey[]): Promise<Claim[]> {
  const won = await queryBulk<ClaimedRow>(database, {
    name: 'claim-steps',
    text: `update in_flight f set state = 'submitting'
             from unnest($1::text[], $2::smallint[], $3::smallint[]) as k (msg_key, step, try)
            where f.msg_key = any (array[k.msg_key]) and f.step = k.step and f.try = k.try and f.state = 'released'
           returning f.msg_key, f.step, f.try`,
    columns: columns(keys, toValues),
  })
  const claimed = new Set(won.map((row) => `${row.msg_key}/${row.step}/${row.try}`))
  const doubtful = keys.filter((key) => !claimed.has(stepId(key)))
  const verdicts = await explainLost(database, doubtful)
  // The same key twice in one batch: the first wins, the others find it in hand.
  const given = new Set<string>()
  return keys.map((key) => {
    const id = stepId(key)
    if (!claimed.has(id)) return verdicts.get(id) ?? 'stale'
    if (given.has(id)) return 'recorded'
    given.add(id)
    return 'claimed'
  })
}

async function explainLost(database: Queryable, keys: readonly StepKey[]): Promise<Map<string, Claim>> {
  const lost = await queryBulk<ClaimedRow & { recorded: boolean }>(database, {
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
    lost.map((row) => [`${row.msg_key}/${row.step}/${row.try}`, row.recorded ? 'recorded' : 'interrupted']),
  )
}

/** Gives a claim back: the carrier surely did not take it. */
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
