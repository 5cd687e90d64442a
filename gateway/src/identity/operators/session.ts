/**
 * Browser sessions of operators: 32 random bytes in a cookie. The SHA-256 is stored, so that a reader of the
 * database cannot use a session. `login-queries.ts` and `provider-queries.ts` add the rows.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createKeyId } from '../accounts/key.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { Operator } from './queries.ts'

export type SessionMethod = 'password' | 'oidc'

export interface NewSession {
  readonly id: string
  /** The value of the cookie. */
  readonly token: string
  readonly hash: string
}

/** Origin and maximum duration of a session. */
export interface SessionOrigin {
  readonly address: string
  /** The User-Agent, by which the owner recognizes the session. */
  readonly agent: string
  readonly seconds: number
}

export interface OperatorSession {
  readonly id: string
  readonly method: SessionMethod
  readonly address: string
  readonly agent: string
  readonly createdAt: Date
  readonly usedAt: Date
  /** Latest end of the session. */
  readonly endsAt: Date
}

export interface SignedInSession extends OperatorSession, Pick<Operator, 'name' | 'role'> {
  /** The account of a client operator. */
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
/** Returns the SQL condition of a valid session; `idleSeconds` is the parameter with the idle time. */
const isValid = (idleSeconds: string): string =>
  `o.disabled_at is null and s.ends_at > now() and s.used_at > now() - make_interval(secs => ${idleSeconds})`

/** Returns null if the session has expired, was not used for `idleSeconds`, or its operator is disabled. */
export async function findSession(
  database: Queryable,
  token: string,
  idleSeconds: number,
): Promise<SignedInSession | null> {
  if (!tokenForm.test(token)) return null
  const result = await database.query<SignedInSession>(
    `select ${columns} from operator_sessions s join operators o on o.id = s.operator_id
      where s.hash = $1 and ${isValid('$2')}`,
    [hashToken(token), idleSeconds],
  )
  return result.rows[0] ?? null
}

/** Minimum interval between two updates of a session. */
const touchMs = 30_000

/** Reports whether a use now must be recorded. */
export function isTouchDue({ usedAt }: OperatorSession, now: number): boolean {
  return now - usedAt.getTime() >= touchMs
}

export async function touchSession(database: Queryable, id: string): Promise<void> {
  await database.query('update operator_sessions set used_at = now() where id = $1', [id])
}

/** Lists sessions, newest first: those of one operator, or all if no name is given. */
export async function listSessions(
  database: Queryable,
  {
    name,
    idleSeconds,
    limit,
  }: { readonly name: string | null; readonly idleSeconds: number; readonly limit: number },
): Promise<SignedInSession[]> {
  const result = await database.query<SignedInSession>(
    `select ${columns} from operator_sessions s join operators o on o.id = s.operator_id
      where ($1::text is null or o.name = $1) and ${isValid('$2')} order by s.created_at desc, s.id limit $3`,
    [name, idleSeconds, limit],
  )
  return result.rows
}

/** Ends a session and returns its operator; null if it does not exist or does not belong to `name`. */
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
