/**
 * Writes receipts to the parts they belong to, finds the steps whose parts are all delivered, and marks the
 * parts of late receipts.
 */
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { toStoredId } from './identifiers.ts'
import type { ReceiptJob } from '../../jobs/jobs.ts'
import { stepId, type StepKey } from '../../jobs/step-key.ts'
import type { MatchedPart } from './match.ts'

export interface PartResult {
  readonly matched: MatchedPart
  readonly receipt: ReceiptJob
  /** The number of receipts of this part in the batch. */
  readonly count: number
}

export interface ReceiptEffect {
  /** Whether the receipt is the first of its part. */
  readonly first: boolean
  /**
   * Whether its part is the first to show that the message was delivered twice, including by an earlier step.
   */
  readonly firstDeliveredTwice: boolean
}

/** Sorts after every message key. */
const maxKey = '~'

/**
 * Writes the receipts: the first one of a part that was not refused decides, later ones are counted. Returns no
 * effect for a receipt that was matched only by its recipient and no longer fits: it is not written. Does not
 * check whether the step is still open: the statement that ends the step reports it at no extra cost
 * (`end-steps.ts`).
 */
export async function recordResults<Result extends PartResult>(
  transaction: Queryable,
  results: readonly Result[],
): Promise<ReadonlyMap<Result, ReceiptEffect>> {
  const updated = await queryBulk<{ n: number } & ReceiptEffect>(transaction, {
    name: 'record-results',
    text: `update attempts a
              set result = coalesce(a.result, r.result), cause = coalesce(a.cause, r.cause),
                  receipt_code = coalesce(a.receipt_code, r.code), result_at = coalesce(a.result_at, r.at),
                  received_at = coalesce(a.received_at, r.received_at),
                  -- Saturated: a carrier may repeat a receipt without end.
                  receipts = least(a.receipts::int + r.count, 32767),
                  -- The receipt brings the id of a lost response: a repeated receipt then finds its own part.
                  carrier_id = coalesce(a.carrier_id, r.carrier_id),
                  delivered_twice = case when r.result = 'delivered' and a.receipts = 0 and (a.step > 1 or a.try > 1)
                    then exists (select from attempts e
                                  where e.msg_key = a.msg_key and (e.step, e.try) < (a.step, a.try)
                                    and e.result = 'delivered' and e.late and not e.delivered_twice)
                    else a.delivered_twice end
             from unnest($1::int[], $2::text[], $3::smallint[], $4::smallint[], $5::smallint[], $6::text[], $7::text[],
                         $8::text[], $9::timestamptz[], $10::timestamptz[], $11::int[], $12::text[], $13::boolean[])
               as r (n, msg_key, step, try, part, result, cause, code, at, received_at, count, carrier_id, guessed)
            where a.msg_key = any (array[r.msg_key]) and a.step = r.step and a.try = r.try and a.part = r.part
              -- For pruning only: as a plain comparison it would be a range of the index, in a plan made while the day was empty.
              and a.msg_key >= all (array[$14])
              -- A guess holds only while neither the response nor another receipt has given the part a different id.
              and not (r.guessed and a.carrier_id is distinct from r.carrier_id
                       and (a.carrier_id is not null or a.result is not null))
           returning r.n, a.receipts = r.count as first,
                     a.delivered_twice and not exists (
                       select from attempts e where e.msg_key = a.msg_key and e.delivered_twice) as "firstDeliveredTwice"`,
    columns: columns(results, ({ matched, receipt, count }, n) => [
      n,
      matched.msgKey,
      matched.step,
      matched.try,
      matched.part,
      receipt.result,
      receipt.cause,
      receipt.code,
      new Date(receipt.at),
      new Date(receipt.receivedAt),
      count,
      toStoredId(receipt.carrierId),
      matched.guessed === true,
    ]),
    values: [
      results.reduce((least, { matched }) => (matched.msgKey < least ? matched.msgKey : least), maxKey),
    ],
  })
  return new Map(updated.map(({ n, ...effect }) => [results[n]!, effect]))
}

export interface PartsState {
  /** Steps whose parts are all delivered. */
  readonly complete: ReadonlySet<string>
  /** Steps that another worker has ended in the meantime. */
  readonly ended: ReadonlySet<string>
}

/**
 * Finds those of the given steps whose parts are all delivered. The in-flight rows are locked first: two
 * workers with the last two receipts of one message must not both see the other's part as open. `ending` are
 * further steps that can end in this transaction while another one has a receipt of another part of them.
 * They are locked by the same statement: locking them later, in a different order, would deadlock.
 */
export async function findFullyDelivered(
  transaction: Queryable,
  keys: readonly StepKey[],
  ending: readonly StepKey[] = [],
): Promise<PartsState> {
  if (keys.length + ending.length === 0) return { complete: new Set(), ended: new Set() }
  // Several receipts of one message can be in one batch; its parts must be counted once.
  const once = [...new Map(keys.map((key) => [stepId(key), key])).values()]
  const locked = await transaction.query<StepKey>(
    'select msg_key as "msgKey", step, try from in_flight where msg_key = any($1) order by msg_key for update',
    [[...once, ...ending].map((key) => key.msgKey)],
  )
  const running = new Set(locked.rows.map(stepId))
  const delivered = await queryBulk<StepKey>(transaction, {
    text: `select a.msg_key as "msgKey", a.step, a.try from attempts a
       join unnest($1::text[], $2::smallint[], $3::smallint[]) as k (msg_key, step, try)
         on a.msg_key = any (array[k.msg_key]) and a.step = k.step and a.try = k.try
      group by a.msg_key, a.step, a.try having count(*) filter (where a.result = 'delivered') = max(a.parts)`,
    columns: columns(once, (key) => [key.msgKey, key.step, key.try]),
  })
  return {
    complete: new Set(delivered.map(stepId)),
    ended: new Set(once.map(stepId).filter((id) => !running.has(id))),
  }
}

export interface LatePart extends StepKey {
  readonly part: number
  /** Whether it is the first part to show that the message was delivered twice. */
  readonly firstDeliveredTwice: boolean
}

/**
 * Marks the parts of receipts that arrived after their step had ended; they change no outcome. A delivery of
 * a step whose successor was submitted means that the recipient got the message twice, and is marked as such.
 */
export function markLate(transaction: Queryable, parts: readonly MatchedPart[]): Promise<LatePart[]> {
  return queryBulk<LatePart>(transaction, {
    name: 'mark-late',
    text: `update attempts a
              set late = true,
                  delivered_twice = a.delivered_twice or a.result = 'delivered' and (
                    exists (select from attempts o
                             where o.msg_key = a.msg_key and (o.step, o.try) > (a.step, a.try) and o.outcome <> 'refused')
                    -- Claimed and not recorded yet: the carrier may have accepted it already.
                    or exists (select from in_flight f
                                where f.msg_key = a.msg_key and (f.step, f.try) > (a.step, a.try)
                                  and f.state = 'claimed'))
             from unnest($1::text[], $2::smallint[], $3::smallint[], $4::smallint[]) as l (msg_key, step, try, part)
            where a.msg_key = any (array[l.msg_key]) and a.step = l.step and a.try = l.try and a.part = l.part
           returning a.msg_key as "msgKey", a.step, a.try, a.part,
                     a.delivered_twice and not exists (
                       select from attempts e where e.msg_key = a.msg_key and e.delivered_twice) as "firstDeliveredTwice"`,
    columns: columns(parts, (part) => [part.msgKey, part.step, part.try, part.part]),
  })
}
