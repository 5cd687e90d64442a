/**
 * Finds the step of a parked dispatch job; returns null unless it is the current step and try of its message.
 */
import type { Step } from '../../channels/channel.ts'
import type { Lane } from '../../channels/lane.ts'
import { readContents, type SealedRow } from '../../jobs/sealed.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { StoredParkedJob } from '../../records/parked/queries.ts'
import { asRecord, parseJob } from '../../records/parked/read.ts'

export interface RunningStep {
  readonly key: StepKey
  readonly accountId: number
  /** Lane setting of the account, or `bulk` for a message of a batch; null if none is set. */
  readonly accountLane: Lane | null
  readonly state: 'unclaimed' | 'claimed'
  /** Null if the message is no longer stored. */
  readonly content: Step | null
}

export async function findParkedStep(
  database: Queryable,
  { msgKey, payload }: Pick<StoredParkedJob, 'msgKey' | 'payload'>,
): Promise<RunningStep | null> {
  const { step, try: nth } = asRecord(parseJob(payload))
  if (msgKey === null || !isNumber(step) || !isNumber(nth)) return null
  const found = await database.query<Omit<RunningStep, 'key'> & SealedRow>(
    `select f.account_id as "accountId", f.state, m.flow -> (f.step - 1) as content, m.sealed, f.msg_key as "msgKey",
            case when f.batch_id is null then (select lane from accounts where id = f.account_id) else 'bulk' end as "accountLane"
       from in_flight f left join messages m on m.msg_key = f.msg_key
      where f.msg_key = $1 and f.step = $2 and f.try = $3`,
    [msgKey, step, nth],
  )
  const [row] = found.rows
  if (row === undefined) return null
  const { accountId, accountLane, state } = row
  const content = (await readContents([row])).get(msgKey)?.steps[step - 1] ?? row.content
  return { key: { msgKey, step, try: nth }, accountId, accountLane, state, content }
}

/** Reports whether a value can be the number of a step or try. */
function isNumber(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) < 2 ** 15
}
