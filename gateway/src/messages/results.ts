/** Writes receipts onto the parts they speak of: the first final one decides, later ones are counted. */
import type { Queryable } from '../platform/database.ts'
import { canonicalId } from './carrier-ids.ts'
import type { ReceiptJob } from './jobs.ts'
import type { StepKey } from './claim.ts'
import type { MatchedPart } from './match.ts'

export interface PartResult {
  readonly matched: MatchedPart
  readonly receipt: ReceiptJob
  /** How often this part's receipt came in this batch. */
  readonly count: number
}

/** Returns the indexes of those that were the first final receipt of their part. */
export async function recordResults(
  transaction: Queryable,
  results: readonly PartResult[],
): Promise<Set<number>> {
  const updated = await transaction.query<{ n: number; first: boolean }>({
    name: 'record-results',
    text: `update attempts a
              set result = coalesce(a.result, r.result), cause = coalesce(a.cause, r.cause),
                  receipt_code = coalesce(a.receipt_code, r.code), result_at = coalesce(a.result_at, r.at),
                  received_at = coalesce(a.received_at, r.received_at), receipts = a.receipts + r.count,
                  -- A lost answer's id comes with the receipt: a repeated one then finds its own part.
                  carrier_id = coalesce(a.carrier_id, r.carrier_id)
             from unnest($1::int[], $2::text[], $3::smallint[], $4::smallint[], $5::smallint[], $6::text[], $7::text[],
                         $8::text[], $9::timestamptz[], $10::timestamptz[], $11::smallint[], $13::text[])
               as r (n, msg_key, step, try, part, result, cause, code, at, received_at, count, carrier_id)
            where a.msg_key = r.msg_key and a.step = r.step and a.try = r.try and a.part = r.part
              and a.msg_key >= $12
           returning r.n, a.receipts = r.count as first`,
    values: [
      results.map((_, n) => n),
      results.map((entry) => entry.matched.msgKey),
      results.map((entry) => entry.matched.step),
      results.map((entry) => entry.matched.try),
      results.map((entry) => entry.matched.part),
      results.map((entry) => entry.receipt.result),
      results.map((entry) => entry.receipt.cause),
      results.map((entry) => entry.receipt.code),
      results.map((entry) => new Date(entry.receipt.at)),
      results.map((entry) => new Date(entry.receipt.receivedAt)),
      results.map((entry) => entry.count),
      results.reduce((least, entry) => (entry.matched.msgKey < least ? entry.matched.msgKey : least), '~'),
      results.map(({ receipt }) => (receipt.carrierId === null ? null : canonicalId(receipt.carrierId))),
    ],
  })
  return new Set(updated.rows.filter((row) => row.first).map((row) => row.n))
}

/**
 * Of steps sent in several parts, those whose parts are all delivered. The in-flight rows are locked first: two
 * workers with the last two receipts of one message must not both see the other's part as open.
 */
export async function findWhollyDelivered(
  transaction: Queryable,
  keys: readonly StepKey[],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  // Several receipts of one message may come in one batch; counted twice, its parts would never add up.
  const once = [...new Map(keys.map((key) => [`${key.msgKey}/${key.step}/${key.try}`, key])).values()]
  const msgKeys = once.map((key) => key.msgKey)
  await transaction.query('select from in_flight where msg_key = any($1) order by msg_key for update', [
    msgKeys,
  ])
  const result = await transaction.query<{ msg_key: string }>(
    `select a.msg_key from attempts a
       join unnest($1::text[], $2::smallint[], $3::smallint[]) as k (msg_key, step, try)
         on a.msg_key = k.msg_key and a.step = k.step and a.try = k.try
      group by a.msg_key having count(*) filter (where a.result = 'delivered') = max(a.parts)`,
    [msgKeys, once.map((key) => key.step), once.map((key) => key.try)],
  )
  return new Set(result.rows.map((row) => row.msg_key))
}
