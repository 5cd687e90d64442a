/**
 * Finds the part that each receipt belongs to; every function returns one entry for each receipt. Only partitions from `notBefore` until `before` are searched: receipts
 * usually arrive within minutes, and carriers reuse ids after a while, so the newest match is the right one.
 *
 * Only attempts of routes that share the login of the receipt's route are found, so that a carrier cannot settle the
 * messages of another one with an id that it guesses or that both use. Attempts of a route that was deleted are found by
 * the receipts of every route: its login is no longer known. A receipt of a deleted route carries the digest of its login.
 */
import { columns, queryBulk } from '../../platform/bulk.ts'
import type { Queryable } from '../../platform/database.ts'
import { parseReference } from '../../connectors/reference.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import type { ReceiptJob } from '../../jobs/jobs.ts'
import type { Logins } from '../../routes/logins.ts'
import { candidateIds, isOfOtherForm, storedId, storedRecipient } from './identifiers.ts'

export interface MatchedPart extends StepKey {
  readonly part: number
  readonly parts: number
  readonly submittedAt: Date
  /** The recipient's mobile carrier, when it was known at the submission. */
  readonly carrier?: string | null
  /** Matched only by its recipient: another receipt may take the part before this one is written. */
  readonly guessed?: true
}

export interface MatchScope {
  readonly notBefore: string
  /** The end of the searched days, exclusive. */
  readonly before: string
  readonly logins: Logins
}

interface MatchRow extends MatchedPart {
  readonly n: number
}

const partColumns =
  'a.msg_key as "msgKey", a.step, a.try, a.part, a.parts, a.carrier, a.submitted_at as "submittedAt"'

/** By our own reference, for carriers that return it. It names the part, which has no id if its answer was lost. */
export async function matchByReference(
  database: Queryable,
  receipts: readonly ReceiptJob[],
  scope: MatchScope,
): Promise<(MatchedPart | null)[]> {
  const referring = receipts.flatMap((receipt, n) => {
    const key = receipt.reference === undefined ? null : parseReference(receipt.reference)
    return key === null ? [] : [{ n, key, receipt }]
  })
  if (referring.length === 0) return receipts.map(() => null)
  const rows = await queryBulk<MatchRow>(database, {
    name: 'match-by-reference',
    text: `select r.n, ${partColumns}
             from unnest($1::int[], $2::text[], $3::smallint[], $4::smallint[], $5::smallint[], $6::text[])
               as r (n, msg_key, step, try, part, routes)
             join attempts a on a.msg_key = any (array[r.msg_key]) and a.step = r.step and a.try = r.try and a.part = r.part
            where ${isWithin('$7', '$8')} and ${sharesLogin('$9')}`,
    columns: columns(referring, ({ n, key, receipt }) => [
      n,
      key.msgKey,
      key.step,
      key.try,
      key.part,
      routeList(receipt, scope),
    ]),
    values: [scope.notBefore, scope.before, scope.logins.routeIds],
  })
  return inOrder(rows, receipts.length)
}

/** By the carrier's id and the recipient, in any form that the two may have been stored in. */
export async function matchById(
  database: Queryable,
  receipts: readonly ReceiptJob[],
  scope: MatchScope,
): Promise<(MatchedPart | null)[]> {
  const candidates = receipts.flatMap((receipt, n) =>
    candidateIds(receipt.carrierId).map((id, index) => ({
      n,
      id,
      receipt,
      // Only rank 0 matches without the recipient.
      rank: receipt.recipientMustMatch ? index + 1 : index,
    })),
  )
  const rows = await queryBulk<MatchRow>(database, {
    name: 'match-by-id',
    // Another form of the id counts only together with the recipient: 2711 is a valid id in both bases. So does another
    // route, if the receipt names its recipient: a carrier may send receipts to any session of the same login.
    text: `select distinct on (r.n) r.n, ${partColumns}
             from unnest($1::int[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[])
               as r (n, rank, route_id, routes, carrier_id, recipient)
             join attempts a on a.carrier_id = any (array[r.carrier_id])
            where ${isWithin('$7', '$8')} and ${sharesLogin('$9')}
              and (a.recipient = r.recipient or (r.rank = 0 and (a.route_id = r.route_id or r.recipient = '' or ${isOfOtherForm('a.recipient', 'r.recipient')})))
            order by r.n, (a.recipient = r.recipient) desc, r.rank, (a.route_id = r.route_id) desc, a.msg_key desc`,
    columns: columns(candidates, ({ n, rank, id, receipt }) => [
      n,
      rank,
      receipt.routeId,
      routeList(receipt, scope),
      id,
      storedRecipient(receipt.recipient),
    ]),
    values: [scope.notBefore, scope.before, scope.logins.routeIds],
  })
  return inOrder(rows, receipts.length)
}

/**
 * By the recipient, for parts without an id, because their answer was lost or the carrier gave none. Matches only if all
 * open parts to the recipient on the routes of the login belong to one try of one step; its receipts get them in order.
 */
export async function matchUnknown(
  database: Queryable,
  receipts: readonly ReceiptJob[],
  scope: MatchScope,
): Promise<(MatchedPart | null)[]> {
  const numbered = numberByRecipient(receipts, scope)
  const rows = await queryBulk<MatchRow>(database, {
    name: 'match-unknown',
    text: `select r.n, c."msgKey", c.step, c.try, c.part, c.parts, c.carrier, c."submittedAt"
             from unnest($1::int[], $2::int[], $3::text[], $4::text[]) as r (n, nth, routes, recipient)
             join lateral (
               select ${partColumns},
                      row_number() over (order by a.part) as nth,
                      min(a.msg_key) over () = max(a.msg_key) over () and min(a.step) over () = max(a.step) over ()
                        and min(a.try) over () = max(a.try) over () as unambiguous
                 from attempts a
                where a.recipient = r.recipient and r.recipient <> '' and a.route_id = any (string_to_array(r.routes, ',')) and a.carrier_id is null
                  and a.outcome <> 'refused' and a.result is null and ${isWithin('$5', '$6')}) c on c.nth = r.nth and c.unambiguous`,
    columns: columns(numbered, ({ n, nth, receipt }) => [
      n,
      nth,
      routeList(receipt, scope),
      storedRecipient(receipt.recipient),
    ]),
    values: [scope.notBefore, scope.before],
  })
  return inOrder(
    rows.map((row) => ({ ...row, guessed: true })),
    receipts.length,
  )
}

/** Numbers the receipts of each recipient; a repeated receipt has the number of the first. */
function numberByRecipient(
  receipts: readonly ReceiptJob[],
  scope: MatchScope,
): { n: number; nth: number; receipt: ReceiptJob }[] {
  const numbersOf = new Map<string, Map<string, number>>()
  return receipts.map((receipt, n) => {
    const recipient = `${routeList(receipt, scope)}/${storedRecipient(receipt.recipient)}`
    const numbers = numbersOf.get(recipient) ?? new Map<string, number>()
    numbersOf.set(recipient, numbers)
    const id = storedId(receipt.carrierId) ?? `without id ${n}`
    const nth = numbers.get(id) ?? numbers.size + 1
    numbers.set(id, nth)
    return { n, nth, receipt }
  })
}

/**
 * Restricts the search to the partitions of these days. Pruning reads comparisons with `all`, indexes cannot: with plain
 * bounds, a plan made while the day was empty would read the keys of the whole day for every receipt.
 */
function isWithin(notBefore: string, before: string): string {
  return `a.msg_key >= all (array[${notBefore}]) and a.msg_key < all (array[${before}])`
}

/** A filter on what the index finds: it costs no further probe. */
function sharesLogin(allRoutes: string): string {
  return `(a.route_id = any (string_to_array(r.routes, ',')) or a.route_id <> all (${allRoutes}::text[]))`
}

/** Returns the routes of the login as one value, because `unnest` flattens arrays. The id of a route has no comma. */
function routeList({ routeId, login }: ReceiptJob, { logins }: MatchScope): string {
  return logins.sharing(routeId, login).join(',')
}

function inOrder(rows: readonly MatchRow[], count: number): (MatchedPart | null)[] {
  const parts = new Array<MatchedPart | null>(count).fill(null)
  for (const row of rows) parts[row.n] = row
  return parts
}
