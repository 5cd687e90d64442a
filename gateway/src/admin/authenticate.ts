/**
 * Who sends a request, and whether the role may do the operation: by the key of an operator, or by the session of a browser. Both are looked
 * up in PostgreSQL for every request, so that what was revoked is refused at once. What is refused is recorded in the audit log. Called
 * before the body is read, and again when it has arrived.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Signed } from '../acts/act-audit.ts'
import { recordRefusal, requireRight } from '../acts/rights.ts'
import { createRequestId } from '../api/server/request-id.ts'
import { toNetwork } from '../api/tokens/address.ts'
import type { Act } from '../audit/act.ts'
import { readOperatorKeyId } from '../operators/key.ts'
import { findOwnAccount } from '../operators/queries.ts'
import { hasRight } from '../operators/rights.ts'
import { findSession, isTouchDue, touchSession } from '../operators/session.ts'
import { signIn, SignInRefused } from '../operators/sign-in.ts'
import { clock } from '../platform/clock.ts'
import type { AdminOperation, SignedOperator } from './operation.ts'
import { OperationError } from '../acts/errors.ts'
import type { RefusedSignIns } from './refused-sign-ins.ts'
import type { AdminServices } from './services.ts'
import { sessionKeyId } from './sign-in/caller.ts'
import { readCookie, type CookieNames } from './sign-in/cookies.ts'
import { requireSameOrigin } from './sign-in/same-origin.ts'
import type { RefusalThrottle } from './throttle.ts'

export interface Authenticated extends Signed {
  readonly signed: SignedOperator
}

export interface Caller {
  readonly headers: IncomingHttpHeaders
  readonly address: string
  /** Whether somebody asks for something now, which keeps a session from ending. False: a page or a stream is only kept up to date. */
  readonly active: boolean
}

export type AuthenticateOperator = (caller: Caller, operation: AdminOperation) => Promise<Authenticated>

export interface AuthenticateOptions {
  readonly throttle: RefusalThrottle
  readonly refused: RefusedSignIns
  readonly cookies: CookieNames
}

/** A lookup takes less than a millisecond: more of them at once would only wait. */
const maxSignIns = 64

export function createAuthenticateOperator(
  { signIns: database, writes, config }: Pick<AdminServices, 'signIns' | 'writes' | 'config'>,
  { throttle, refused, cookies }: AuthenticateOptions,
): AuthenticateOperator {
  let signingIn = 0
  const bounded = async <T>(lookUp: () => Promise<T>): Promise<T> => {
    if (signingIn >= maxSignIns)
      throw new OperationError('unavailable', 'too many requests are in progress; repeat the request', {
        retryAfterSeconds: 1,
      })
    signingIn += 1
    try {
      return await lookUp()
    } finally {
      signingIn -= 1
    }
  }

  async function bySession(
    { headers, active }: Caller,
    token: string,
    { access }: AdminOperation,
    nobody: Act,
  ): Promise<SignedOperator> {
    // What shows personal data is recorded in the name of the operator, so another site must not cause it either.
    if (access.kind !== 'read')
      try {
        requireSameOrigin(headers, config.adminUrl)
      } catch (error) {
        await refused.record(nobody.reason, nobody, 'unknown', { why: 'cross-site' })
        throw error
      }
    const found = await bounded(async () => {
      const session = await findSession(database, token, config.adminSessionIdleMinutes * 60)
      return session && { session, account: await findOwnAccount(database, session.accountId) }
    })
    if (found === null) throw unauthenticated('the session has ended; sign in again')
    const { session, account } = found
    // The next request repeats what fails.
    if (active && isTouchDue(session, clock.now()))
      await touchSession(writes, session.id).catch(() => undefined)
    const { name, role } = session
    return { name, role, account, signature: null, session }
  }

  async function byKey(
    { headers, address }: Caller,
    nobody: Act,
  ): Promise<SignedOperator & { initial: boolean }> {
    const key = /^bearer ([A-Za-z0-9_-]{1,200})$/i.exec(headers.authorization ?? '')?.[1]
    if (key === undefined || readOperatorKeyId(key) === null) {
      throttle.reserve(`network ${toNetwork(address)}`)
      throw unauthenticated('send Authorization: Bearer <key>, with the key of an operator, or sign in')
    }
    const { name, role, account, signature, initial } = await bounded(() => signIn(database, key)).catch(
      async (error: unknown) => {
        if (!(error instanceof SignInRefused)) throw error
        throttle.reserve(`network ${toNetwork(address)}`)
        await refused.record(nobody.reason, nobody, error.claimed)
        throw unauthenticated(
          'the operator key is unknown, revoked or past its end, or its operator is disabled',
        )
      },
    )
    return { name, role, account, signature, session: null, initial }
  }

  return async (caller, operation) => {
    const { action, access } = operation
    const nobody: Act = {
      ...{ by: 'unknown', role: 'process', reason: action, source: caller.address, keyId: null },
      requestId: createRequestId(),
    }
    const token =
      caller.headers.authorization === undefined
        ? readCookie(caller.headers.cookie, cookies.session)
        : undefined
    const { initial, ...signed } =
      token === undefined
        ? await byKey(caller, nobody)
        : { ...(await bySession(caller, token, operation, nobody)), initial: false }
    const { name: by, role, signature, session } = signed
    const keyId = session === null ? signature!.keyId : sessionKeyId(session.id)
    const act: Act = { ...nobody, by, role, keyId, reason: '' }
    // A client has no right: it may do what is declared for clients, within its account.
    const mayDo = signed.account === null ? hasRight(role, access.right) : operation.client !== undefined
    const isElsewhere = signed.account === null && config.adminFor === 'clients'
    const mustReplace = initial && operation.withFirstKey !== true
    if (mustReplace || isElsewhere || !mayDo) throttle.reserve(`operator ${by}`)
    if (isElsewhere) {
      await recordRefusal(database, action, { ...act, reason: action }, 'only clients are served')
      throw new OperationError(
        'forbidden',
        'this address serves operators of clients only; use the address for operators',
      )
    }
    if (mustReplace) {
      await recordRefusal(database, action, { ...act, reason: action }, 'initial key')
      throw new OperationError(
        'first-key',
        `key ${keyId} was created by another operator; replace it first`,
        { facts: { keyId } },
      )
    }
    if (!mayDo) {
      await requireRight(database, action, { ...act, reason: action }, access.right)
      throw new OperationError('forbidden', 'operators of clients are not allowed to call this operation')
    }
    return { act, signature, signed }
  }
}

function unauthenticated(what: string): OperationError {
  return new OperationError('unauthenticated', what)
}
