/**
 * Sessions of operators in a browser: 32 random bytes in a cookie. The SHA-256 is stored, so that nobody who reads the database can use
 * one. Rows are begun by `login-queries.ts` and `provider-queries.ts`.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createKeyId } from '../accounts/key.ts'
import type { Queryable } from '../platform/database.ts'
import type { Operator } from './queries.ts'

export type SessionMethod = 'password' | 'oidc'

export interface NewSession {
  readonly id: string
  /** For the cookie. */
  readonly token: string
  readonly hash: string
}

/** Where a session is begun from, and how long it lasts at most. */
export interface SessionPlace {
  readonly address: string
  /** The User-Agent, so that its owner recognizes it. */
  readonly agent: string
  readonly seconds: number
}

export interface Session {
  readonly id: string
  readonly method: SessionMethod
  readonly address: string
  readonly agent: string
  readonly createdAt: Date
  readonly usedAt: Date
  /** At the latest. */
  readonly endsAt: Date
}

export interface FoundSession extends Session, Pick<Operator, 'name' | 'role'> {
  /** Of a client. */
  readonly accountId: number | null
}

const tokenForm = /^[A-Za-z0-9_-]{43}$/

export function createSession(): NewSession {
  const token = randomBytes(32).toString('base64url')
  return { id: createKeyId(), token, hash: hashToken(token) }
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

const columns = `s.id, s.method, s.address, s.agent, s.created_at as "createdAt", s.used_at as "usedAt", s.ends_at as "endsAt", o.name, o.role, o.account_id as "accountId"`
const valid = `o.disabled_at is null and s.ends_at > now() and s.used_at > now() - make_interval(secs => `

/** Null when it has ended, was not used for `idleSeconds`, or its operator is disabled. */
export async function findSession(
  database: Queryable,
  token: string,
  idleSeconds: number,
): Promise<FoundSession | null> {
  if (!tokenForm.test(token)) return null
  const result = await database.query<FoundSession>(
    `select ${columns} from operator_sessions s join operators o on o.id = s.operator_id
      where s.hash = $1 and ${valid}$2)`,
    [hashToken(token), idleSeconds],
  )
  return result.rows[0] ?? null
}

/** Written at most this often for a session. */
const touchMs = 30_000

/** Whether a use now must be recorded. */
export function isTouchDue({ usedAt }: Session, now: number): boolean {
  return now - usedAt.getTime() >= touchMs
}

export async function touchSession(database: Queryable, id: string): Promise<void> {
  await database.query('update operator_sessions set used_at = now() where id = $1', [id])
}

/** Of one operator, or of all without a name; the newest first. */
export async function listSessions(
  database: Queryable,
  {
    name,
    idleSeconds,
    limit,
  }: { readonly name: string | null; readonly idleSeconds: number; readonly limit: number },
): Promise<FoundSession[]> {
  const result = await database.query<FoundSession>(
    `select ${columns} from operator_sessions s join operators o on o.id = s.operator_id
      where ($1::text is null or o.name = $1) and ${valid}$2) order by s.created_at desc, s.id limit $3`,
    [name, idleSeconds, limit],
  )
  return result.rows
}

/** Returns whose it was; null when there is none, or it is not of `name`. */
export async function endSession(
  transaction: Queryable,
  id: string,
  name: string | null,
): Promise<string | null> {
  const result = await transaction.query<{ name: string }>(
    `delete from operator_sessions s using operators o
      where o.id = s.operator_id and s.id = $1 and ($2::text is null or o.name = $2) returning o.name`,
    [id, name],
  )
  return result.rows[0]?.name ?? null
}
