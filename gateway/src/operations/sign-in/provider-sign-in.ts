/**
 * Signs in operators identified by the OpenID provider. The operator is created at the first sign-in and
 * marked as belonging to the provider. The claims determine the role at each sign-in; without a role the
 * sign-in is refused. Sign-ins are recorded, and refusals within limits.
 */
import { appendAudit } from '../../identity/audit/queries.ts'
import {
  endProviderSessions,
  startProviderSession,
  type ProviderSignInResult,
} from '../../identity/operators/provider-queries.ts'
import { createSession, type NewSession } from '../../identity/operators/session.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { OperationError } from '../errors.ts'
import type { RefusedSignIns } from '../refused-sign-ins.ts'
import type { AdminServices } from '../services.ts'
import type { RefusalThrottle } from '../throttle.ts'
import {
  toSessionOrigin,
  sessionContext,
  signInAction,
  anonymousContext,
  type SignInCaller,
} from './caller.ts'
import type { PendingSignIn } from './pending.ts'
import { findOperatorName, findRole, type ProviderSettings } from './provider-settings.ts'
import type { OidcProvider, OidcIdentity } from './provider.ts'

export class ProviderSignIn {
  readonly provider: OidcProvider
  readonly #services: AdminServices
  readonly #refused: RefusedSignIns
  readonly #throttle: RefusalThrottle

  constructor(
    provider: OidcProvider,
    services: AdminServices,
    refused: RefusedSignIns,
    throttle: RefusalThrottle,
  ) {
    this.provider = provider
    this.#services = services
    this.#refused = refused
    this.#throttle = throttle
  }

  /** Completes a sign-in that the browser has begun. Throws an OperationError with the next step. */
  async end(query: string, pending: PendingSignIn, caller: SignInCaller): Promise<NewSession> {
    let claimed = 'unknown'
    try {
      const identity = await this.provider.end(query, pending, caller.network)
      claimed = findOperatorName(identity.claims, this.provider.settings) ?? 'unknown'
      return await this.#start(identity, caller)
    } catch (error) {
      if (!(error instanceof OperationError) || error.code === 'unavailable') throw error
      this.#throttle.reserve(`network ${caller.network}`)
      await this.#refused.record(signInAction, anonymousContext(caller), claimed, {
        method: 'oidc',
        why: error.code,
      })
      throw error
    }
  }

  async #start({ issuer, subject, claims }: OidcIdentity, caller: SignInCaller): Promise<NewSession> {
    const { settings } = this.provider
    const role = findRole(claims, settings)
    if (role === null) {
      await this.#endSessions(issuer, subject, caller)
      throw noRole(settings)
    }
    const name = findOperatorName(claims, settings)
    if (name === null) throw noName(settings)
    const { writes, config } = this.#services
    const session = createSession()
    return inTransaction(writes, async (transaction) => {
      const place = toSessionOrigin(caller, config)
      const given = { issuer, subject, name, role, session, place }
      const outcome = await startProviderSession(transaction, given)
      if (outcome.outcome !== 'started') throw refusal(outcome, name)
      const operator = outcome.name!
      const { formerRole } = outcome
      await appendAudit(transaction, sessionContext(caller, operator, role, session), {
        action: signInAction,
        result: 'done',
        target: operator,
        details: {
          method: 'oidc',
          issuer,
          ...(formerRole === null ? { operator: 'new', role } : {}),
          ...(formerRole !== null && formerRole !== role ? { role: { from: formerRole, to: role } } : {}),
        },
      })
      return session
    })
  }

  /**
   * Ends the sessions of a person whose role was revoked at the provider: earlier sessions must not keep it.
   */
  #endSessions(issuer: string, subject: string, caller: SignInCaller): Promise<void> {
    return inTransaction(this.#services.writes, async (transaction) => {
      const { name, ended } = await endProviderSessions(transaction, issuer, subject)
      if (name === null || ended === 0) return
      await appendAudit(transaction, anonymousContext(caller), {
        action: 'session end',
        result: 'done',
        target: name,
        details: { method: 'oidc', why: 'no-role', ended },
      })
    })
  }
}

function noRole({ roleClaim }: ProviderSettings): OperationError {
  return new OperationError(
    'no-role',
    `no value of the claim '${roleClaim}' has a role for this gateway; ask an admin to map one of your groups in POSTERN_ADMIN_OIDC_ROLES, or the provider to send the claim`,
  )
}

function noName({ nameClaim }: ProviderSettings): OperationError {
  return new OperationError(
    'refused',
    `the claim '${nameClaim}' is missing or not a valid operator name (1 to 64 letters, digits and . _ @ -); ask an admin to set POSTERN_ADMIN_OIDC_NAME_CLAIM`,
  )
}

function refusal({ outcome, name: known }: ProviderSignInResult, name: string): OperationError {
  if (outcome === 'disabled')
    return new OperationError('refused', `operator '${known}' is disabled; an admin can enable it`)
  if (outcome === 'name taken')
    return new OperationError(
      'refused',
      `operator name '${name}' is already in use; ask an admin to set POSTERN_ADMIN_OIDC_NAME_CLAIM to a claim that is unique, such as email`,
    )
  return new OperationError(
    'refused',
    'there are no operators yet; add the first one, an admin, on the command line',
  )
}
