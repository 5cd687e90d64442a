/** A password or key of an account, and what it may be used for. */
import { Problem } from '../contract/problem.ts'
import type { AddressList } from './address-list.ts'

/** Parts of the API that a key may be limited to. Only `replies` shows what recipients have written, and their numbers. */
export const scopes = ['send', 'report', 'replies', 'files', 'webhooks', 'usage'] as const
export type Scope = (typeof scopes)[number]

/** `smpp`: a password of eight characters that is only valid for SMPP binds. */
export type CredentialKind = 'password' | 'key' | 'smpp'

export interface Credential {
  /** Identifies the credential in this cell and in tokens. */
  readonly id: number
  readonly accountId: number
  /** Identifies the credential in keys and commands, in every cell. */
  readonly keyId: string
  readonly kind: CredentialKind
  /** The PHC string of argon2id for passwords, SHA-256 in hexadecimal for keys. `null` after the end: it is erased. */
  readonly hash: string | null
  /** `null` allows every scope. */
  readonly scopes: readonly Scope[] | null
  /** `null` allows every network. */
  readonly networks: AddressList | null
  /** The expiry, or the end of the overlap with a successor. */
  readonly endsAt: Date | null
}

export function hasEnded({ endsAt }: Pick<Credential, 'endsAt'>, now: Date): boolean {
  return endsAt !== null && endsAt.getTime() <= now.getTime()
}

/** Throws A113 if the credential is limited to other scopes. */
export function requireScope(
  { keyId, scopes: allowed }: Pick<Credential, 'keyId' | 'scopes'>,
  scope: Scope,
): void {
  if (allowed === null || allowed.includes(scope)) return
  throw new Problem(
    'A113',
    `Not permitted: key ${keyId} has the scopes ${allowed.join(', ')}; this request needs ${scope}. Use another key, or ask the operator for one`,
  )
}
