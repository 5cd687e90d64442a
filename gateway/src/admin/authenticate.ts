/**
 * Who sends a request, and whether the role may do the operation. The key is looked up in PostgreSQL for every request, so that a key
 * that was revoked is refused at once. What is refused is recorded in the audit log. Called before the body is read.
 */
import { randomUUID } from 'node:crypto'
import type { Signed } from '../acts/act-audit.ts'
import { recordRefusal, requireRight } from '../acts/rights.ts'
import { toNetwork } from '../api/tokens/address.ts'
import type { Act } from '../audit/act.ts'
import { readOperatorKeyId } from '../operators/key.ts'
import { hasRight } from '../operators/rights.ts'
import { signIn, SignInRefused, type SignedIn } from '../operators/sign-in.ts'
import type { Database } from '../platform/database.ts'
import type { AdminOperation } from './operation.ts'
import { AdminProblem } from './problem.ts'
import { RefusedSignIns } from './refused-sign-ins.ts'
import { RefusalThrottle } from './throttle.ts'

export interface Authenticated extends Signed {
  readonly signed: SignedIn
}

export interface Caller {
  readonly authorization: string | undefined
  readonly address: string
}

export type AuthenticateOperator = (caller: Caller, operation: AdminOperation) => Promise<Authenticated>

/** A lookup takes less than a millisecond: more of them at once would only wait. */
const maxSignIns = 64

export function createAuthenticateOperator(
  database: Database,
  throttle = new RefusalThrottle(),
): AuthenticateOperator {
  const refusedSignIns = new RefusedSignIns(database)
  let signingIn = 0
  const whoHas = async (key: string): Promise<SignedIn> => {
    if (signingIn >= maxSignIns)
      throw new AdminProblem('unavailable', 'too many requests are in progress; repeat the request', 1)
    signingIn += 1
    try {
      return await signIn(database, key)
    } finally {
      signingIn -= 1
    }
  }
  return async ({ authorization, address }, { action, access }) => {
    const key = /^bearer ([A-Za-z0-9_-]{1,200})$/i.exec(authorization ?? '')?.[1]
    const nobody: Act = {
      ...{ by: 'unknown', role: 'process', reason: action, source: address, keyId: null },
      requestId: randomUUID(),
    }
    if (key === undefined || readOperatorKeyId(key) === null) {
      throttle.reserve(`network ${toNetwork(address)}`)
      throw unauthenticated('send Authorization: Bearer <key>, with the key of an operator')
    }
    const signed = await whoHas(key).catch(async (error: unknown) => {
      if (!(error instanceof SignInRefused)) throw error
      throttle.reserve(`network ${toNetwork(address)}`)
      await refusedSignIns.record(action, nobody, error.claimed)
      throw unauthenticated(
        'the operator key is unknown, revoked or past its end, or its operator is disabled',
      )
    })
    const { name: by, role, signature, initial } = signed
    const act: Act = { ...nobody, by, role, keyId: signature.keyId, reason: '' }
    if (initial || !hasRight(role, access.right)) throttle.reserve(`operator ${by}`)
    if (initial) {
      await recordRefusal(database, action, { ...act, reason: action }, 'initial key')
      throw new AdminProblem(
        'first-key',
        `the key ${signature.keyId} was made by somebody else; replace it first: \`postern operator key rotate\``,
      )
    }
    await requireRight(database, action, { ...act, reason: action }, access.right)
    return { act, signature, signed }
  }
}

function unauthenticated(what: string): AdminProblem {
  return new AdminProblem('unauthenticated', what)
}
