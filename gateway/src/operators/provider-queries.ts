/** SQL of sessions that an OpenID provider vouches for. The operator is made at the first sign-in, by a function of the database. */
import type { Queryable } from '../platform/database.ts'
import type { Role } from './rights.ts'
import type { NewSession, SessionPlace } from './session.ts'

export interface ProviderSession {
  readonly issuer: string
  /** The provider's id of the person. */
  readonly subject: string
  /** For an operator who is new; a known one keeps the name. */
  readonly name: string
  readonly role: Role
  readonly session: NewSession
  readonly place: SessionPlace
}

export interface ProviderOutcome {
  readonly outcome: 'started' | 'no operators' | 'name taken' | 'disabled'
  readonly name: string | null
  /** Null for an operator who is new. */
  readonly formerRole: Role | null
}

export async function startProviderSession(
  transaction: Queryable,
  { issuer, subject, name, role, session, place }: ProviderSession,
): Promise<ProviderOutcome> {
  const result = await transaction.query<ProviderOutcome>(
    `select outcome, operator_name as name, former_role as "formerRole"
       from start_provider_session($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[issuer, subject, name, role],
      ...[session.id, session.hash, place.seconds, place.address, place.agent],
    ],
  )
  return result.rows[0]!
}

/** Of a person who has no role any longer. `name` is null when the person is no operator. */
export async function endProviderSessions(
  transaction: Queryable,
  issuer: string,
  subject: string,
): Promise<{ readonly name: string | null; readonly ended: number }> {
  const result = await transaction.query<{ name: string | null; ended: number }>(
    'select operator_name as name, ended from end_provider_sessions($1, $2)',
    [issuer, subject],
  )
  return result.rows[0]!
}
