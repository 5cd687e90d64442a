/**
 * Finds the attempt a receipt speaks of. Only partitions from `notBefore` on are touched: receipts come within
 * minutes as a rule, and carriers use an id again after a while, so the newest match is the right one.
 */
import { candidateIds, recipientTail } from './carrier-ids.ts'
import type { Queryable } from '../platform/database.ts'
import type { StepKey } from './claim.ts'
import type { ReceiptJob } from './jobs.ts'

export interface MatchedPart extends StepKey {
  readonly part: number
  readonly parts: number
  readonly submittedAt: Date
}

interface MatchRow extends MatchedPart {
  readonly n: number
}

/** One entry per receipt: the part it speaks of, or null. */
export async function matchById(
  database: Queryable,
  receipts: readonly ReceiptJob[],
  notBefore: string,
): Promise<(MatchedPart | null)[]> {
  const numbers: number[] = []
  const ranks: number[] = []
  const routeIds: string[] = []
  const ids: string[] = []
  const recipients: string[] = []
  receipts.forEach((receipt, n) => {
    if (receipt.carrierId === null) return
    candidateIds(receipt.carrierId).forEach((id, rank) => {
      numbers.push(n)
      ranks.push(rank)
      routeIds.push(receipt.routeId)
      ids.push(id)
      recipients.push(recipientTail(receipt.recipient))
    })
  })
  const result = await database.query<MatchRow>({
    name: 'match-by-id',
    // Another spelling of the id counts only together with the recipient: 2711 is somebody's id in both bases.
    // So does another route: a carrier may send receipts to any session of the same login.
    text: `select distinct on (r.n) r.n, a.msg_key as "msgKey", a.step, a.try, a.part, a.parts, a.submitted_at as "submittedAt"
             from unnest($1::int[], $2::int[], $3::text[], $4::text[], $5::text[]) as r (n, rank, route_id, carrier_id, recipient)
             join attempts a on a.carrier_id = r.carrier_id
            where a.msg_key >= $6
              and (a.recipient = r.recipient or (r.rank = 0 and a.route_id = r.route_id))
            order by r.n, (a.recipient = r.recipient) desc, (a.route_id = r.route_id) desc, r.rank, a.msg_key desc`,
    values: [numbers, ranks, routeIds, ids, recipients, notBefore],
  })
  return inOrder(result.rows, receipts.length)
}

/**
 * For submissions whose answer was lost: no id is known, so the recipient decides, and only when exactly one
 * unknown part on that route waits for it.
 */
export async function matchUnknown(
  database: Queryable,
  receipts: readonly ReceiptJob[],
  notBefore: string,
): Promise<(MatchedPart | null)[]> {
  const result = await database.query<MatchRow>({
    name: 'match-unknown',
    text: `select r.n, min(a.msg_key) as "msgKey", min(a.step)::int as step, min(a.try)::int as try, min(a.part)::int as part,
                  min(a.parts)::int as parts, min(a.submitted_at) as "submittedAt"
             from unnest($1::int[], $2::text[], $3::text[]) as r (n, route_id, recipient)
             join attempts a on a.recipient = r.recipient and a.route_id = r.route_id and a.outcome = 'unknown'
            where a.msg_key >= $4 and a.result is null
            group by r.n having count(*) = 1`,
    values: [
      receipts.map((_, n) => n),
      receipts.map((receipt) => receipt.routeId),
      receipts.map((receipt) => recipientTail(receipt.recipient)),
      notBefore,
    ],
  })
  return inOrder(result.rows, receipts.length)
}

function inOrder(rows: readonly MatchRow[], count: number): (MatchedPart | null)[] {
  const parts = new Array<MatchedPart | null>(count).fill(null)
  for (const row of rows) parts[row.n] = row
  return parts
}
