/**
 * Finds the attempt that a receipt belongs to. Only partitions from `notBefore` on are searched: receipts usually arrive
 * within minutes, and carriers reuse ids after a while, so the newest match is the right one.
 */
import { candidateIds, recipientTail, storedId } from './carrier-ids.ts'
import { columns, queryBulk } from '../../platform/bulk.ts'
import type { Queryable } from '../../platform/database.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import type { ReceiptJob } from '../../jobs/jobs.ts'

export interface MatchedPart extends StepKey {
  readonly part: number
  readonly parts: number
  readonly submittedAt: Date
  /** Matched by its recipient alone: another receipt may have taken the part before this one is written. */
  readonly guessed?: true
}

interface MatchRow extends MatchedPart {
  readonly n: number
}

const partColumns = 'a.msg_key as "msgKey", a.step, a.try, a.part, a.parts, a.submitted_at as "submittedAt"'

/** One entry per receipt: the part it belongs to, or null. */
export async function matchById(
  database: Queryable,
  receipts: readonly ReceiptJob[],
  notBefore: string,
): Promise<(MatchedPart | null)[]> {
  const found = await matchLiterally(database, receipts, notBefore)
  const missing = receipts.filter((_, n) => found[n] === null)
  if (missing.length === 0) return found
  const loosely = await matchLoosely(database, missing, notBefore)
  let next = 0
  return found.map((part) => part ?? loosely[next++] ?? null)
}

/** The common case, one index probe per partition: the id as given, and the same recipient. */
async function matchLiterally(
  database: Queryable,
  receipts: readonly ReceiptJob[],
  notBefore: string,
): Promise<(MatchedPart | null)[]> {
  const rows = await queryBulk<MatchRow>(database, {
    name: 'match-literally',
    text: `select distinct on (r.n) r.n, ${partColumns}
             from unnest($1::int[], $2::text[], $3::text[], $4::text[]) as r (n, route_id, carrier_id, recipient)
             join attempts a on a.carrier_id = any (array[r.carrier_id]) and a.recipient = r.recipient
            where a.msg_key >= $5
            order by r.n, (a.route_id = r.route_id) desc, a.msg_key desc`,
    columns: columns(receipts, ({ routeId, carrierId, recipient }, n) => [
      n,
      routeId,
      storedId(carrierId),
      recipientTail(recipient),
    ]),
    values: [notBefore],
  })
  return inOrder(rows, receipts.length)
}

/** The other cases: another form of the id, another form of the recipient, or no recipient. */
async function matchLoosely(
  database: Queryable,
  receipts: readonly ReceiptJob[],
  notBefore: string,
): Promise<(MatchedPart | null)[]> {
  const candidates = receipts.flatMap((receipt, n) =>
    candidateIds(receipt.carrierId).map((id, rank) => ({ n, rank, id, receipt })),
  )
  const rows = await queryBulk<MatchRow>(database, {
    name: 'match-loosely',
    // Another form of the id counts only together with the recipient: 2711 is a valid id in both bases. The same holds
    // for another route: a carrier may send receipts to any session of the same login.
    text: `select distinct on (r.n) r.n, ${partColumns}
             from unnest($1::int[], $2::int[], $3::text[], $4::text[], $5::text[]) as r (n, rank, route_id, carrier_id, recipient)
             join attempts a on a.carrier_id = any (array[r.carrier_id])
            where a.msg_key >= $6
              and (a.recipient = r.recipient or (r.rank = 0 and a.route_id = r.route_id))
            order by r.n, (a.recipient = r.recipient) desc, (a.route_id = r.route_id) desc, r.rank, a.msg_key desc`,
    columns: columns(candidates, ({ n, rank, id, receipt }) => [
      n,
      rank,
      receipt.routeId,
      id,
      recipientTail(receipt.recipient),
    ]),
    values: [notBefore],
  })
  return inOrder(rows, receipts.length)
}

/**
 * For parts without an id, because their answer was lost or the carrier gave none: the recipient decides, and only when
 * the parts on that route that wait for it all belong to one try of one step. Its receipts are given to its open parts in
 * order.
 */
export async function matchUnknown(
  database: Queryable,
  receipts: readonly ReceiptJob[],
  notBefore: string,
): Promise<(MatchedPart | null)[]> {
  const numbered = numberByRecipient(receipts)
  const rows = await queryBulk<MatchRow>(database, {
    name: 'match-unknown',
    text: `select r.n, c."msgKey", c.step, c.try, c.part, c.parts, c."submittedAt"
             from unnest($1::int[], $2::int[], $3::text[], $4::text[]) as r (n, nth, route_id, recipient)
             join lateral (
               select ${partColumns},
                      row_number() over (order by a.part) as nth,
                      min(a.msg_key) over () = max(a.msg_key) over () and min(a.step) over () = max(a.step) over ()
                        and min(a.try) over () = max(a.try) over () as unambiguous
                 from attempts a
                where a.recipient = r.recipient and a.route_id = r.route_id and a.carrier_id is null
                  and a.outcome <> 'refused' and a.result is null and a.msg_key >= $5) c on c.nth = r.nth and c.unambiguous`,
    columns: columns(numbered, ({ n, nth, receipt }) => [
      n,
      nth,
      receipt.routeId,
      recipientTail(receipt.recipient),
    ]),
    values: [notBefore],
  })
  return inOrder(
    rows.map((row) => ({ ...row, guessed: true })),
    receipts.length,
  )
}

/** Numbers the receipts of each recipient; a repeated receipt has the number of the first. */
function numberByRecipient(
  receipts: readonly ReceiptJob[],
): { n: number; nth: number; receipt: ReceiptJob }[] {
  const numbersOf = new Map<string, Map<string, number>>()
  return receipts.map((receipt, n) => {
    const recipient = `${receipt.routeId}/${recipientTail(receipt.recipient)}`
    const numbers = numbersOf.get(recipient) ?? new Map<string, number>()
    numbersOf.set(recipient, numbers)
    const id = storedId(receipt.carrierId) ?? `without id ${n}`
    const nth = numbers.get(id) ?? numbers.size + 1
    numbers.set(id, nth)
    return { n, nth, receipt }
  })
}

function inOrder(rows: readonly MatchRow[], count: number): (MatchedPart | null)[] {
  const parts = new Array<MatchedPart | null>(count).fill(null)
  for (const row of rows) parts[row.n] = row
  return parts
}
