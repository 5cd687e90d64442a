/** SQL of sessions of an OpenID provider. A database function creates the operator at the first sign-in. */
import type { Queryable } from '../../platform/database/database.ts'
import type { StaffRole } from './rights.ts'
import type { NewSession, SessionOrigin } from './session.ts'

export interface ProviderSession {
  readonly issuer: string
  /** The provider's id of the person. */
  readonly subject: string
  /** The name of a new operator; an existing one keeps the name. */
  readonly name: string
  readonly role: StaffRole
  readonly session: NewSession
  readonly place: SessionOrigin
}

export interface ProviderSignInResult {
  readonly outcome: 'started' | 'no operators' | 'name taken' | 'disabled'
  readonly name: string | null
  /** The previous role, or `null` for a new operator. */
  readonly formerRole: StaffRole | null
}

export async function startProviderSession(
  transaction: Queryable,
  { issuer, subject, name, role, session, place }: ProviderSession,
): Promise<ProviderSignInResult> {
  const result = await transaction.query<ProviderSignInResult>(
    `select outcome, operator_name as name, former_role as "formerRole"
       from start_provider_session($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[issuer, subject, name, role],
      ...[session.id, session.hash, place.seconds, place.address, place.agent],
    ],
  )
  return result.rows[0]!
}

/**
 * Ends the sessions of a person who no longer has a role. `name` is null if the person is not an operator.
 */
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
