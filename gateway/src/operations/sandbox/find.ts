/**
 * Finds messages sent over sandbox routes, newest first. Nothing is stored for this: a message qualifies if
 * an attempt of it used a route that is currently a sandbox route, and has an ID or code that only the
 * sandbox assigns. Attempts are read in key order in limited chunks, so that a busy installation costs no
 * more than a quiet one.
 */
import { codePrefix, idPrefix } from '../../carriers/connectors/sandbox/marks.ts'
import { possibleShareIds } from '../../jobs/route-share.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { storedForms, recipientTail } from '../../records/attempts/identifiers.ts'

export interface SandboxFilter {
  /** Recipient; its last digits are compared here, the whole number by the caller. */
  readonly to?: string | undefined
  /** Keys from this one on, and before `beforeKey`. */
  readonly fromKey: string
  readonly beforeKey: string
}

export interface SandboxKeys {
  /** Keys, newest first. */
  readonly keys: readonly string[]
  /** Start of the next search; null if nothing is left. */
  readonly next: string | null
}

/** Attempts per chunk. */
const rowsPerChunk = 5_000
const budgetMs = 150

/** Returns the IDs of all shares that a sandbox route can have. */
export async function findSandboxRoutes(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(`select id from routes where protocol = 'sandbox'`)
  return rows.flatMap(({ id }) => possibleShareIds(id))
}

/** SQL condition: the attempt with alias `a` went over the sandbox; `$1` is the list of `findSandboxRoutes`. */
export const sandboxAttemptSql = `a.route_id = any ($1) and (a.carrier_id like '${idPrefix}%' or a.outcome_code like '${codePrefix}%' or a.receipt_code like '${codePrefix}%')`

/** Returns at most `limit` keys, or fewer if the time limit is reached. */
export async function findKeys(
  database: Queryable,
  routeIds: readonly string[],
  filter: SandboxFilter,
  limit: number,
): Promise<SandboxKeys> {
  if (routeIds.length === 0) return { keys: [], next: null }
  const began = performance.now()
  const keys = new Set<string>()
  let before: string | null = filter.beforeKey
  do {
    const chunk: SandboxKeys = await findChunk(database, routeIds, { ...filter, beforeKey: before }, limit)
    for (const key of chunk.keys) if (keys.size < limit) keys.add(key)
    before = chunk.next
    if (keys.size === limit) before = [...keys].at(-1)!
  } while (before !== null && keys.size < limit && performance.now() - began < budgetMs)
  return { keys: [...keys], next: before }
}

async function findChunk(
  database: Queryable,
  routeIds: readonly string[],
  { to, fromKey, beforeKey }: SandboxFilter,
  limit: number,
): Promise<SandboxKeys> {
  const recipients = to === undefined ? null : storedForms(recipientTail(to))
  const result = await database.query<{ keys: string[]; scanned: number; last: string | null }>(
    `with a as materialized (
       select msg_key, route_id, recipient, carrier_id, outcome_code, receipt_code from attempts
        where msg_key < $2 and msg_key >= $3 order by msg_key desc, step desc, try desc, part desc limit $4)
     select array(select distinct a.msg_key from a where ${sandboxAttemptSql} and ($5::text[] is null or a.recipient = any ($5))
                   order by a.msg_key desc limit $6) as keys,
            (select count(*) from a) as scanned, (select min(msg_key) from a) as last`,
    [routeIds, beforeKey, fromKey, rowsPerChunk, recipients, limit],
  )
  const { keys, scanned, last } = result.rows[0]!
  // The attempts of the last message may be incomplete, so it is read again.
  return { keys, next: scanned < rowsPerChunk || last === null ? null : `${last}0` }
}
