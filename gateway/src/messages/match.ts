/**
 * Finds the attempt a receipt speaks of. Only partitions from `notBefore` on are touched: receipts come within
 * minutes as a rule, and carriers use an id again after a while, so the newest match is the right one.
 */
import { candidateIds, canonicalId, recipientTail } from './carrier-ids.ts'
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
 * For submissions whose answer was lost: no id is known, so the recipient decides, and only when the unknown parts
 * on that route that wait for it all belong to one message. Its receipts take its open parts in turn.
 */
export async function matchUnknown(
  database: Queryable,
  receipts: readonly ReceiptJob[],
  notBefore: string,
): Promise<(MatchedPart | null)[]> {
  const turns = takeTurns(receipts)
  const result = await database.query<MatchRow>({
    name: 'match-unknown',
    text: `select r.n, c."msgKey", c.step, c.try, c.part, c.parts, c."submittedAt"
             from unnest($1::int[], $2::int[], $3::text[], $4::text[]) as r (n, turn, route_id, recipient)
             join lateral (
               select a.msg_key as "msgKey", a.step, a.try, a.part, a.parts, a.submitted_at as "submittedAt",
                      row_number() over (order by a.part) as turn,
                      min(a.msg_key) over () = max(a.msg_key) over () and min(a.try) over () = max(a.try) over () as alone
                 from attempts a
                where a.recipient = r.recipient and a.route_id = r.route_id and a.outcome = 'unknown'
                  and a.msg_key >= $5 and a.result is null) c on c.turn = r.turn and c.alone`,
    values: [
      turns.map(({ n }) => n),
      turns.map(({ turn }) => turn),
      turns.map(({ receipt }) => receipt.routeId),
      turns.map(({ receipt }) => recipientTail(receipt.recipient)),
      notBefore,
    ],
  })
  return inOrder(result.rows, receipts.length)
}

/** The how-manieth receipt of its recipient each one is; the same receipt twice takes one turn. */
function takeTurns(receipts: readonly ReceiptJob[]): { n: number; turn: number; receipt: ReceiptJob }[] {
  const turnsOf = new Map<string, Map<string, number>>()
  return receipts.map((receipt, n) => {
    const recipient = `${receipt.routeId}/${recipientTail(receipt.recipient)}`
    const turns = turnsOf.get(recipient) ?? new Map<string, number>()
    turnsOf.set(recipient, turns)
    const id = receipt.carrierId === null ? `unnamed ${n}` : canonicalId(receipt.carrierId)
    const turn = turns.get(id) ?? turns.size + 1
    turns.set(id, turn)
    return { n, turn, receipt }
  })
}

function inOrder(rows: readonly MatchRow[], count: number): (MatchedPart | null)[] {
  const parts = new Array<MatchedPart | null>(count).fill(null)
  for (const row of rows) parts[row.n] = row
  return parts
}
