import type { AccountDirectory, AccountEntry } from '../../../identity/accounts/directory.ts'
import { isExpired, type Credential, type Scope } from '../../../identity/accounts/credential.ts'
import { clock } from '../../../platform/time/clock.ts'

/** Account and credential that a session is bound to. */
export interface BoundCredential {
  readonly accountId: number
  readonly systemId: string
  readonly credential: Credential
}

/**
 * Returns the current account, or null if it must not use the session: it is unknown or blocked, SMPP is
 * disabled for it, or its credential was revoked or has expired.
 */
export function getActiveAccount(
  { value: { byId, credentials } }: AccountDirectory,
  { accountId, credential: { id } }: BoundCredential,
): AccountEntry | null {
  const account = byId.get(accountId)
  const credential = credentials.get(id)
  if (account === undefined || credential === undefined) return null
  const { blocked, smppBinds } = account
  if (blocked || smppBinds === 0 || credential.hash === null || isExpired(credential, clock.date()))
    return null
  return account
}

/** A credential without a list of scopes has all of them. */
export function hasScope(credential: Credential | undefined, scope: Scope): boolean {
  return credential !== undefined && (credential.scopes === null || credential.scopes.includes(scope))
}
