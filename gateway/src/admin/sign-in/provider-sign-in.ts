/**
 * Signs operators in for whom the OpenID provider vouches. The operator is made at the first sign-in and marked as the provider's; the
 * role is what the claims say each time, and without one the sign-in is refused. Every try is recorded.
 */
import { appendAudit } from '../../audit/queries.ts'
import {
  endProviderSessions,
  startProviderSession,
  type ProviderOutcome,
} from '../../operators/provider-queries.ts'
import { createSession, type NewSession } from '../../operators/session.ts'
import { inTransaction } from '../../platform/database.ts'
import { OperationError } from '../../acts/errors.ts'
import type { RefusedSignIns } from '../refused-sign-ins.ts'
import type { AdminServices } from '../services.ts'
import type { RefusalThrottle } from '../throttle.ts'
import { placeOf, signedInAct, signInAction, unknownAct, type SignInCaller } from './caller.ts'
import type { PendingSignIn } from './pending.ts'
import { nameOf, roleOf, type ProviderSettings } from './provider-settings.ts'
import type { Provider, Vouched } from './provider.ts'

export class ProviderSignIn {
  readonly provider: Provider
  readonly #services: AdminServices
  readonly #refused: RefusedSignIns
  readonly #throttle: RefusalThrottle

  constructor(
    provider: Provider,
    services: AdminServices,
    refused: RefusedSignIns,
    throttle: RefusalThrottle,
  ) {
    this.provider = provider
    this.#services = services
    this.#refused = refused
    this.#throttle = throttle
  }

  /** Ends what the browser has begun. Throws an OperationError that says what to do. */
  async end(query: string, pending: PendingSignIn, caller: SignInCaller): Promise<NewSession> {
    let claimed = 'unknown'
    try {
      const vouched = await this.provider.end(query, pending, caller.network)
      claimed = nameOf(vouched.claims, this.provider.settings) ?? 'unknown'
      return await this.#start(vouched, caller)
    } catch (error) {
      if (!(error instanceof OperationError) || error.code === 'unavailable') throw error
      this.#throttle.reserve(`network ${caller.network}`)
      await this.#refused.record(signInAction, unknownAct(caller), claimed, {
        method: 'oidc',
        why: error.code,
      })
      throw error
    }
  }

  async #start({ issuer, subject, claims }: Vouched, caller: SignInCaller): Promise<NewSession> {
    const { settings } = this.provider
    const role = roleOf(claims, settings)
    if (role === null) {
      await this.#endSessions(issuer, subject, caller)
      throw noRole(settings)
    }
    const name = nameOf(claims, settings)
    if (name === null) throw noName(settings)
    const { writes, config } = this.#services
    const session = createSession()
    return inTransaction(writes, async (transaction) => {
      const place = placeOf(caller, config)
      const given = { issuer, subject, name, role, session, place }
      const outcome = await startProviderSession(transaction, given)
      if (outcome.outcome !== 'started') throw refusal(outcome, name)
      const operator = outcome.name!
      const { formerRole } = outcome
      await appendAudit(transaction, signedInAct(caller, operator, role, session), {
        ...{ action: signInAction, result: 'done', target: operator },
        details: {
          ...{ method: 'oidc', issuer },
          ...(formerRole === null ? { operator: 'new', role } : {}),
          ...(formerRole !== null && formerRole !== role ? { role: { from: formerRole, to: role } } : {}),
        },
      })
      return session
    })
  }

  /** Of a person whose role was taken away at the provider: earlier sessions must not have it any longer. */
  #endSessions(issuer: string, subject: string, caller: SignInCaller): Promise<void> {
    return inTransaction(this.#services.writes, async (transaction) => {
      const { name, ended } = await endProviderSessions(transaction, issuer, subject)
      if (name === null || ended === 0) return
      await appendAudit(transaction, unknownAct(caller), {
        ...{ action: 'session end', result: 'done', target: name },
        details: { method: 'oidc', why: 'no-role', ended },
      })
    })
  }
}

function noRole({ roleClaim }: ProviderSettings): OperationError {
  return new OperationError(
    'no-role',
    `no value of the claim '${roleClaim}' gives a role for this gateway; ask an admin to map one of your groups in POSTERN_ADMIN_OIDC_ROLES, or the provider to send the claim`,
  )
}

function noName({ nameClaim }: ProviderSettings): OperationError {
  return new OperationError(
    'refused',
    `the claim '${nameClaim}' is missing or no name of an operator (1 to 64 letters, digits and . _ @ -); ask an admin to set POSTERN_ADMIN_OIDC_NAME_CLAIM`,
  )
}

function refusal({ outcome, name: known }: ProviderOutcome, name: string): OperationError {
  if (outcome === 'disabled')
    return new OperationError('refused', `the operator '${known}' is disabled; an admin may enable it`)
  if (outcome === 'name taken')
    return new OperationError(
      'refused',
      `another operator has the name '${name}'; ask an admin to set POSTERN_ADMIN_OIDC_NAME_CLAIM to a claim that is unique, such as email`,
    )
  return new OperationError(
    'refused',
    'there are no operators yet; the first one is an admin, who is added on the command line',
  )
}
