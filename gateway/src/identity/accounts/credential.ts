/** A password or key of an account, and its restrictions. */
import { Problem } from '../../contract/problem.ts'
import type { AddressList } from './address-list.ts'

/**
 * Parts of the API to which a key can be limited. Only `replies` shows the texts and numbers of recipients.
 */
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
  /**
   * The PHC string of argon2id for passwords, SHA-256 in hexadecimal for keys. `null` after the expiry, when
   * it is erased.
   */
  readonly hash: string | null
  /** `null` allows every scope. */
  readonly scopes: readonly Scope[] | null
  /** `null` allows every network. */
  readonly networks: AddressList | null
  /** The expiry, or the end of the overlap with a successor. */
  readonly endsAt: Date | null
}

export function isExpired({ endsAt }: Pick<Credential, 'endsAt'>, now: Date): boolean {
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
    `Not permitted: key ${keyId} has the scopes ${allowed.join(', ')}; this request requires ${scope}. Use another key, or request one from the operator`,
  )
}
