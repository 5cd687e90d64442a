/** Who asks to sign in, as far as the request tells, and the acts of the audit log for it. Pure. */
import { createRequestId } from '../../api/server/request-id.ts'
import { toNetwork } from '../../api/tokens/address.ts'
import type { Act } from '../../audit/act.ts'
import type { OperatorRole } from '../../operators/rights.ts'
import type { NewSession, SessionPlace } from '../../operators/session.ts'
import type { Config } from '../../platform/config.ts'

/** The action of every sign-in in the audit log. */
export const signInAction = 'session start'

export interface SignInCaller {
  readonly address: string
  /** IPv6: the /64 network. */
  readonly network: string
  readonly agent: string
  readonly requestId: string
}

export function toSignInCaller(address: string, agent: string | undefined): SignInCaller {
  return {
    ...{ address, network: toNetwork(address), requestId: createRequestId() },
    // A header may hold bytes that are no text.
    agent: (agent ?? '').replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200),
  }
}

export function placeOf({ address, agent }: SignInCaller, config: Config): SessionPlace {
  return { address, agent, seconds: config.adminSessionHours * 3_600 }
}

/** Of somebody who has proved nothing. */
export function unknownAct({ address, requestId }: SignInCaller): Act {
  return { by: 'unknown', role: 'process', reason: signInAction, source: address, keyId: null, requestId }
}

/** Of an operator whose session begins. */
export function signedInAct(caller: SignInCaller, by: string, role: OperatorRole, { id }: NewSession): Act {
  return { ...unknownAct(caller), by, role, keyId: sessionKeyId(id) }
}

/** What the audit log has instead of the id of a key. */
export function sessionKeyId(id: string): string {
  return `session ${id}`
}
