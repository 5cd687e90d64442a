/**
 * Finds what was sent over routes of the sandbox, newest first. Nothing is stored for it: a message belongs here when an attempt of it went
 * over a route that is of the sandbox now, and has an id or a code that only the sandbox gives. Attempts are read in the order of their keys
 * in bounded pieces, so that a busy installation costs no more than a quiet one.
 */
import { codePrefix, idPrefix } from '../../connectors/sandbox/marks.ts'
import { possibleShareIds } from '../../jobs/route-share.ts'
import type { Queryable } from '../../platform/database.ts'
import { formsOfStored, recipientTail } from '../../records/attempts/identifiers.ts'

export interface SandboxFilter {
  /** Recipient; its last digits are compared here, and the whole number by the caller. */
  readonly to?: string | undefined
  /** Keys from this one on, and before this one. */
  readonly fromKey: string
  readonly beforeKey: string
}

export interface FoundKeys {
  /** The newest first. */
  readonly keys: readonly string[]
  /** Where the next search begins; null when nothing is left. */
  readonly next: string | null
}

/** Attempts of one piece: they are read in about 10 ms when they are in memory. */
const rowsPerPiece = 5_000
const budgetMs = 150

/** Every share of every route of the sandbox. */
export async function findSandboxRoutes(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(`select id from routes where protocol = 'sandbox'`)
  return rows.flatMap(({ id }) => possibleShareIds(id))
}

/** SQL: an attempt of the alias `a` that went over the sandbox; `$1` are its routes. */
export const isOfSandbox = `a.route_id = any ($1) and (a.carrier_id like '${idPrefix}%' or a.outcome_code like '${codePrefix}%' or a.receipt_code like '${codePrefix}%')`

/** At most `limit` keys; it ends early after its budget of time. */
export async function findKeys(
  database: Queryable,
  routeIds: readonly string[],
  filter: SandboxFilter,
  limit: number,
): Promise<FoundKeys> {
  if (routeIds.length === 0) return { keys: [], next: null }
  const began = performance.now()
  const keys = new Set<string>()
  let before: string | null = filter.beforeKey
  do {
    const piece: FoundKeys = await findPiece(database, routeIds, { ...filter, beforeKey: before }, limit)
    for (const key of piece.keys) if (keys.size < limit) keys.add(key)
    before = piece.next
    if (keys.size === limit) before = [...keys].at(-1)!
  } while (before !== null && keys.size < limit && performance.now() - began < budgetMs)
  return { keys: [...keys], next: before }
}

async function findPiece(
  database: Queryable,
  routeIds: readonly string[],
  { to, fromKey, beforeKey }: SandboxFilter,
  limit: number,
): Promise<FoundKeys> {
  const recipients = to === undefined ? null : formsOfStored(recipientTail(to))
  const result = await database.query<{ keys: string[]; scanned: number; last: string | null }>(
    `with a as materialized (
       select msg_key, route_id, recipient, carrier_id, outcome_code, receipt_code from attempts
        where msg_key < $2 and msg_key >= $3 order by msg_key desc, step desc, try desc, part desc limit $4)
     select array(select distinct a.msg_key from a where ${isOfSandbox} and ($5::text[] is null or a.recipient = any ($5))
                   order by a.msg_key desc limit $6) as keys,
            (select count(*) from a) as scanned, (select min(msg_key) from a) as last`,
    [routeIds, beforeKey, fromKey, rowsPerPiece, recipients, limit],
  )
  const { keys, scanned, last } = result.rows[0]!
  // The attempts of the last message may not all have been read: it is read again.
  return { keys, next: scanned < rowsPerPiece || last === null ? null : `${last}0` }
}
