import { createRequestId } from '../../edge/api/server/request-id.ts'
import { toNetwork } from '../../edge/api/tokens/address.ts'
import type { AuditContext } from '../../identity/audit/context.ts'
import type { OperatorRole } from '../../identity/operators/rights.ts'
import type { NewSession, SessionOrigin } from '../../identity/operators/session.ts'
import type { Config } from '../../platform/settings/config.ts'

/** Audit action of every sign-in. */
export const signInAction = 'session start'

export interface SignInCaller {
  readonly address: string
  /** For IPv6, the /64 network. */
  readonly network: string
  readonly agent: string
  readonly requestId: string
}

export function toSignInCaller(address: string, agent: string | undefined): SignInCaller {
  return {
    address,
    network: toNetwork(address),
    requestId: createRequestId(),
    // A header can contain bytes that are not text.
    agent: (agent ?? '').replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200),
  }
}

export function toSessionOrigin({ address, agent }: SignInCaller, config: Config): SessionOrigin {
  return { address, agent, seconds: config.adminSessionHours * 3_600 }
}

/** Returns the audit context of a caller who has proved nothing. */
export function anonymousContext({ address, requestId }: SignInCaller): AuditContext {
  return { by: 'unknown', role: 'process', reason: signInAction, source: address, keyId: null, requestId }
}

/** Returns the audit context of an operator whose session begins. */
export function sessionContext(
  caller: SignInCaller,
  by: string,
  role: OperatorRole,
  { id }: NewSession,
): AuditContext {
  return { ...anonymousContext(caller), by, role, keyId: sessionKeyId(id) }
}

/** Returns what the audit log has instead of a key ID. */
export function sessionKeyId(id: string): string {
  return `session ${id}`
}
