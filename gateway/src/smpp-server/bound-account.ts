/** What a session is bound to, and whether it may still be used. */
import type { AccountDirectory, AccountEntry } from '../accounts/directory.ts'
import { hasEnded, type Credential, type Scope } from '../accounts/credential.ts'
import { clock } from '../platform/clock.ts'

export interface BoundTo {
  readonly accountId: number
  readonly systemId: string
  readonly credential: Credential
}

/** Returns the account as it is now, or null if it must not use the session: it is blocked, or its credential has ended. */
export function accountOf(
  { value: { byId, credentials } }: AccountDirectory,
  { accountId, credential: { id } }: BoundTo,
): AccountEntry | null {
  const account = byId.get(accountId)
  const credential = credentials.get(id)
  if (account === undefined || credential === undefined) return null
  const { blocked, smppBinds } = account
  if (blocked || smppBinds === 0 || credential.hash === null || hasEnded(credential, clock.date()))
    return null
  return account
}

export function hasScope(credential: Credential | undefined, scope: Scope): boolean {
  return credential !== undefined && (credential.scopes === null || credential.scopes.includes(scope))
}
