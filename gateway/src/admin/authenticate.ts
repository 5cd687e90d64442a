/**
 * Authenticates a request by operator key or browser session, and checks that the role allows the operation.
 * Credentials are read from PostgreSQL for every request, so a revocation is effective immediately. Refused
 * keys and rights and requests from other sites are recorded in the audit log, within the limits of `RefusedSignIns`
 * and `RefusalThrottle`. Runs before the body is read and again after it has arrived.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { SignedAudit } from '../operations/audit-recorder.ts'
import { recordRefusal, requireRight } from '../operations/rights.ts'
import { createRequestId } from '../edge/api/server/request-id.ts'
import { toNetwork } from '../edge/api/tokens/address.ts'
import type { AuditContext } from '../identity/audit/context.ts'
import { readOperatorKeyId } from '../identity/operators/key.ts'
import { findOwnAccount } from '../identity/operators/queries.ts'
import { hasRight } from '../identity/operators/rights.ts'
import { findSession, isTouchDue, touchSession } from '../identity/operators/session.ts'
import { verifyOperatorKey, SignInRefused } from '../identity/operators/verify-key.ts'
import { clock } from '../platform/time/clock.ts'
import type { AdminOperation, SignedOperator } from '../operations/operation.ts'
import { OperationError } from '../operations/errors.ts'
import type { RefusedSignIns } from '../operations/refused-sign-ins.ts'
import type { AdminServices } from '../operations/services.ts'
import { sessionKeyId } from '../operations/sign-in/caller.ts'
import type { CookieNames } from '../operations/operation.ts'
import { readCookie } from '../operations/sign-in/cookies.ts'
import { requireSameOrigin } from '../operations/sign-in/same-origin.ts'
import type { RefusalThrottle } from '../operations/throttle.ts'

export interface AuthenticatedOperator extends SignedAudit {
  readonly signed: SignedOperator
}

export interface Caller {
  readonly headers: IncomingHttpHeaders
  readonly address: string
  /** Whether a user is active, which extends the session; false if a page or stream only refreshes itself. */
  readonly active: boolean
}

export type AuthenticateOperator = (
  caller: Caller,
  operation: AdminOperation,
) => Promise<AuthenticatedOperator>

export interface AuthenticateOptions {
  readonly throttle: RefusalThrottle
  readonly refused: RefusedSignIns
  readonly cookies: CookieNames
}

/** A lookup takes less than a millisecond; more concurrent lookups would only wait. */
const maxLookups = 64

export function createAuthenticateOperator(
  { signIns: database, writes, config }: Pick<AdminServices, 'signIns' | 'writes' | 'config'>,
  { throttle, refused, cookies }: AuthenticateOptions,
): AuthenticateOperator {
  let lookupsRunning = 0
  const bounded = async <T>(lookUp: () => Promise<T>): Promise<T> => {
    if (lookupsRunning >= maxLookups)
      throw new OperationError('unavailable', 'too many requests are in progress; retry', {
        retryAfterSeconds: 1,
      })
    lookupsRunning += 1
    try {
      return await lookUp()
    } finally {
      lookupsRunning -= 1
    }
  }

  async function bySession(
    { headers, active }: Caller,
    token: string,
    { access }: AdminOperation,
    anonymous: AuditContext,
  ): Promise<SignedOperator> {
    // Reads of personal data are recorded under the name of the operator, so another site must not trigger
    // them.
    if (access.kind !== 'read')
      try {
        requireSameOrigin(headers, config.adminUrl)
      } catch (error) {
        await refused.record(anonymous.reason, anonymous, 'unknown', { why: 'cross-site' })
        throw error
      }
    const found = await bounded(async () => {
      const session = await findSession(database, token, config.adminSessionIdleMinutes * 60)
      return session && { session, account: await findOwnAccount(database, session.accountId) }
    })
    if (found === null) throw unauthenticated('the session has expired; sign in again')
    const { session, account } = found
    // The next request retries a failed update.
    if (active && isTouchDue(session, clock.now()))
      await touchSession(writes, session.id).catch(() => undefined)
    const { name, role } = session
    return { name, role, account, signature: null, session }
  }

  async function byKey(
    { headers, address }: Caller,
    anonymous: AuditContext,
  ): Promise<SignedOperator & { initial: boolean }> {
    const key = /^bearer ([A-Za-z0-9_-]{1,200})$/i.exec(headers.authorization ?? '')?.[1]
    if (key === undefined || readOperatorKeyId(key) === null) {
      throttle.reserve(`network ${toNetwork(address)}`)
      throw unauthenticated('send Authorization: Bearer <operator key>, or sign in')
    }
    const { name, role, account, signature, initial } = await bounded(() =>
      verifyOperatorKey(database, key),
    ).catch(async (error: unknown) => {
      if (!(error instanceof SignInRefused)) throw error
      throttle.reserve(`network ${toNetwork(address)}`)
      await refused.record(anonymous.reason, anonymous, error.claimed)
      throw unauthenticated('the operator key is unknown, revoked or expired, or its operator is disabled')
    })
    return { name, role, account, signature, session: null, initial }
  }

  return async (caller, operation) => {
    const { action, access } = operation
    const anonymous: AuditContext = {
      by: 'unknown',
      role: 'process',
      reason: action,
      source: caller.address,
      keyId: null,
      requestId: createRequestId(),
    }
    const token =
      caller.headers.authorization === undefined
        ? readCookie(caller.headers.cookie, cookies.session)
        : undefined
    const { initial, ...signed } =
      token === undefined
        ? await byKey(caller, anonymous)
        : { ...(await bySession(caller, token, operation, anonymous)), initial: false }
    const { name: by, role, signature, session } = signed
    const keyId = session === null ? signature!.keyId : sessionKeyId(session.id)
    const act: AuditContext = { ...anonymous, by, role, keyId, reason: '' }
    // Clients have no rights: only operations declared for clients are allowed, within their account.
    const isAllowed = signed.account === null ? hasRight(role, access.right) : operation.client !== undefined
    const isElsewhere = signed.account === null && config.adminAudience === 'clients'
    const mustReplaceKey = initial && operation.withFirstKey !== true
    if (mustReplaceKey || isElsewhere || !isAllowed) throttle.reserve(`operator ${by}`)
    if (isElsewhere) {
      await recordRefusal(database, action, { ...act, reason: action }, 'only clients are served')
      throw new OperationError('forbidden', 'this URL serves client users only; use the operator URL')
    }
    if (mustReplaceKey) {
      await recordRefusal(database, action, { ...act, reason: action }, 'initial key')
      throw new OperationError(
        'first-key',
        `key ${keyId} was created by another operator; replace it first`,
        { facts: { keyId } },
      )
    }
    if (!isAllowed) {
      await requireRight(database, action, { ...act, reason: action }, access.right)
      throw new OperationError('forbidden', 'client users are not allowed to call this operation')
    }
    return { act, signature, signed }
  }
}

function unauthenticated(message: string): OperationError {
  return new OperationError('unauthenticated', message)
}
