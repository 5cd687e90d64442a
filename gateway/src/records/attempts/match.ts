/**
 * Finds the part that each receipt belongs to; every function returns one entry for each receipt. Only
 * partitions from `notBefore` until `before` are searched: receipts usually arrive within minutes, and
 * carriers reuse ids after a while, so the newest match is the right one.
 *
 * Only attempts of routes that share the login of the receipt's route are found, so that a carrier cannot
 * settle the messages of another one with an id that it guesses or that both use. Attempts of a deleted route
 * are found by the receipts of every route, because its login is no longer known, but only by reference or
 * id. A receipt of a deleted route carries the digest of its login.
 */
import { columns, queryBulk } from '../../platform/database/bulk.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { timeDigits } from '../../contract/msg-key.ts'
import { parseReference } from '../../carriers/connectors/reference.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import type { ReceiptJob } from '../../jobs/jobs.ts'
import type { Logins } from '../../carriers/routes/logins.ts'
import { candidateIds, differsInForm, hasWholeTail, toStoredId, toStoredRecipient } from './identifiers.ts'

export interface MatchedPart extends StepKey {
  readonly part: number
  readonly parts: number
  readonly submittedAt: Date
  /** The recipient's mobile carrier, if it was known at submission. */
  readonly carrier?: string | null
  /**
   * Set if matched only by the recipient: another receipt can be assigned the part before this one is
   * written.
   */
  readonly guessed?: true
}

export interface MatchScope {
  readonly notBefore: string
  /** The end of the searched days, exclusive. */
  readonly before: string
  readonly logins: Logins
  /**
   * Whether an id alone decides although the receipt names another recipient: only after the attempt of a submission to
   * that recipient had time to be recorded, because a carrier can use the id of an older submission again.
   */
  readonly allowsOtherRecipient: boolean
  /** Returns how long after the arrival of its receipt a submission can still be recorded. */
  readonly recordedWithinMs: (receipt: ReceiptJob) => number
}

interface MatchRow extends MatchedPart {
  readonly n: number
}

const partColumns =
  'a.msg_key as "msgKey", a.step, a.try, a.part, a.parts, a.carrier, a.submitted_at as "submittedAt"'

/**
 * Matches by the gateway's own reference, for carriers that return it. It identifies the part, which has no
 * id if its response was lost.
 */
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

interface NumberedReceipt {
  readonly n: number
  readonly receipt: ReceiptJob
}

/** Matches by the carrier's id and the recipient, in any form in which the two can be stored. */
export async function matchById(
  database: Queryable,
  receipts: readonly ReceiptJob[],
  scope: MatchScope,
): Promise<(MatchedPart | null)[]> {
  const numbered = receipts.map((receipt, n): NumberedReceipt => ({ n, receipt }))
  const literal = await findByLiteralId(database, numbered, scope)
  const found = new Set(literal.map(({ n }) => n))
  const others = numbered.filter(({ n }) => !found.has(n))
  return inOrder([...literal, ...(await findByAnyForm(database, others, scope))], receipts.length)
}

/**
 * Finds the parts whose id and recipient are those of the receipt: nearly all, with a third of the probes that
 * all forms of a numeric id take. Without the recipient, another message could be found whose id is another
 * form of this one.
 */
function findByLiteralId(
  database: Queryable,
  receipts: readonly NumberedReceipt[],
  scope: MatchScope,
): Promise<MatchRow[]> {
  const withId = receipts.flatMap(({ n, receipt }) => {
    const id = toStoredId(receipt.carrierId)
    return id === null ? [] : [{ n, id, receipt }]
  })
  return queryBulk<MatchRow>(database, {
    name: 'match-by-literal-id',
    text: `select distinct on (r.n) r.n, ${partColumns}
             from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[]) as r (n, route_id, routes, carrier_id, recipient)
             join attempts a on a.carrier_id = any (array[r.carrier_id])
            where ${isWithin('$6', '$7')} and ${sharesLogin('$8')} and a.recipient = r.recipient
            order by r.n, (a.route_id = r.route_id) desc, a.msg_key desc`,
    columns: columns(withId, ({ n, id, receipt }) => [
      n,
      receipt.routeId,
      routeList(receipt, scope),
      id,
      toStoredRecipient(receipt.recipient),
    ]),
    values: [scope.notBefore, scope.before, scope.logins.routeIds],
  })
}

function findByAnyForm(
  database: Queryable,
  receipts: readonly NumberedReceipt[],
  scope: MatchScope,
): Promise<MatchRow[]> {
  const candidates = receipts.flatMap(({ n, receipt }) =>
    candidateIds(receipt.carrierId).map((id, index) => ({
      n,
      id,
      receipt,
      // Only rank 0 matches without the recipient.
      rank: receipt.recipientMustMatch ? index + 1 : index,
    })),
  )
  return queryBulk<MatchRow>(database, {
    name: 'match-by-id',
    // Another form of the id counts only together with the recipient: 2711 is a valid id in both bases. So
    // does another route, if the receipt names its recipient: a carrier can send receipts to any session of
    // the same login.
    //
    // The literal id on the same route also counts if the two recipients cannot be compared. If they plainly differ, it
    // counts last, and only for an attempt without a result: an SMSC whose counter starts again uses ids twice.
    text: `select distinct on (r.n) r.n, ${partColumns}
             from unnest($1::int[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[])
               as r (n, rank, route_id, routes, carrier_id, recipient, is_whole)
             join attempts a on a.carrier_id = any (array[r.carrier_id])
             cross join lateral (select r.is_whole and a.recipient <> '' and not (${differsInForm('a.recipient', 'r.recipient')}) as comparable) c
            where ${isWithin('$8', '$9')} and ${sharesLogin('$10')}
              and (a.recipient = r.recipient
                   or r.rank = 0 and (r.recipient = '' or ${differsInForm('a.recipient', 'r.recipient')}
                                      or a.route_id = r.route_id and (not c.comparable or $11 and a.result is null)))
            order by r.n, (a.recipient = r.recipient) desc, c.comparable, r.rank, (a.route_id = r.route_id) desc, a.msg_key desc`,
    columns: columns(candidates, ({ n, rank, id, receipt }) => [
      n,
      rank,
      receipt.routeId,
      routeList(receipt, scope),
      id,
      toStoredRecipient(receipt.recipient),
      hasWholeTail(receipt.recipient),
    ]),
    values: [scope.notBefore, scope.before, scope.logins.routeIds, scope.allowsOtherRecipient],
  })
}

/**
 * Matches by the recipient, for parts without an id because their response was lost or the carrier sent none. Matches
 * only if all parts without id and result to the recipient, on the routes of the login and submitted before the
 * receipt, belong to one try of one step, which is open; assigns its receipts to them in order.
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
             from unnest($1::int[], $2::int[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
               as r (n, nth, routes, recipient, received, recorded_by)
             join lateral (
               select ${partColumns},
                      row_number() over (order by a.part) as nth,
                      min(a.msg_key) over () = max(a.msg_key) over () and min(a.step) over () = max(a.step) over ()
                        and min(a.try) over () = max(a.try) over () as unambiguous
                 from attempts a
                where a.recipient = r.recipient and r.recipient <> '' and a.route_id = any (string_to_array(r.routes, ',')) and a.carrier_id is null
                  and a.outcome <> 'refused' and a.result is null
                  and a.msg_key <= all (array[r.received]) and a.submitted_at <= r.recorded_by and ${isWithin('$7', '$8')}) c
               on c.nth = r.nth and c.unambiguous
             join in_flight f on f.msg_key = any (array[c."msgKey"]) and f.step = c.step and f.try = c.try`,
    columns: columns(numbered, ({ n, nth, receipt }) => [
      n,
      nth,
      routeList(receipt, scope),
      toStoredRecipient(receipt.recipient),
      lastKeyAt(receipt.receivedAt),
      new Date(receipt.receivedAt + scope.recordedWithinMs(receipt)),
    ]),
    values: [scope.notBefore, scope.before],
  })
  return inOrder(
    rows.map((row) => ({ ...row, guessed: true })),
    receipts.length,
  )
}

/** Sorts after the keys of all messages that were accepted until this time. */
function lastKeyAt(ms: number): string {
  return `${timeDigits(new Date(ms))}~`
}

/** Numbers the receipts of each recipient; a repeated receipt has the number of the first. */
function numberByRecipient(
  receipts: readonly ReceiptJob[],
  scope: MatchScope,
): { n: number; nth: number; receipt: ReceiptJob }[] {
  const numbersOf = new Map<string, Map<string, number>>()
  return receipts.map((receipt, n) => {
    const recipient = `${routeList(receipt, scope)}/${toStoredRecipient(receipt.recipient)}`
    const numbers = numbersOf.get(recipient) ?? new Map<string, number>()
    numbersOf.set(recipient, numbers)
    const id = toStoredId(receipt.carrierId) ?? `without id ${n}`
    const nth = numbers.get(id) ?? numbers.size + 1
    numbers.set(id, nth)
    return { n, nth, receipt }
  })
}

/**
 * Restricts the search to the partitions of these days. Pruning uses comparisons with `all`, indexes cannot:
 * with plain bounds, a plan created while the day was empty would read the keys of the whole day for every
 * receipt.
 */
function isWithin(notBefore: string, before: string): string {
  return `a.msg_key >= all (array[${notBefore}]) and a.msg_key < all (array[${before}])`
}

/** Filters the rows that the index finds; needs no further probe. */
function sharesLogin(allRoutes: string): string {
  return `(a.route_id = any (string_to_array(r.routes, ',')) or a.route_id <> all (${allRoutes}::text[]))`
}

/**
 * Returns the routes of the login as one value, because `unnest` flattens arrays. A route id has no comma.
 */
function routeList({ routeId, login }: ReceiptJob, { logins }: MatchScope): string {
  return logins.sharing(routeId, login).join(',')
}

function inOrder(rows: readonly MatchRow[], count: number): (MatchedPart | null)[] {
  const parts = new Array<MatchedPart | null>(count).fill(null)
  for (const row of rows) parts[row.n] = row
  return parts
}
