/** What a session is bound to, and whether it may still be used. */
import type { AccountDirectory, AccountEntry } from '../accounts/directory.ts'
import { hasEnded, type Credential, type Scope } from '../accounts/credential.ts'
import { clock } from '../platform/clock.ts'

export interface BoundTo {
  readonly accountId: number
  readonly systemId: string
  readonly credential: Credential
}

/**
 * The account as it is now. `elsewhere`: it moves to another cell, or has moved, and the client may send again there. `refused`: it
 * is blocked, or its credential has ended.
 */
export function accountOf(
  { value: { byId, credentials } }: AccountDirectory,
  { accountId, credential: { id } }: BoundTo,
): AccountEntry | 'elsewhere' | 'refused' {
  const account = byId.get(accountId)
  const credential = credentials.get(id)
  if (account === undefined || credential === undefined) return 'refused'
  const { blocked, moving, servedBy, smppBinds } = account
  if (moving || servedBy !== null) return 'elsewhere'
  if (blocked || smppBinds === 0 || credential.hash === null || hasEnded(credential, clock.date()))
    return 'refused'
  return account
}

export function hasScope(credential: Credential | undefined, scope: Scope): boolean {
  return credential !== undefined && (credential.scopes === null || credential.scopes.includes(scope))
}
