/** What an account proves itself with: a password or a key, and what it may be used for. Pure. */
import type { AddressList } from './address-list.ts'

/** Parts of the API that a key may be limited to. Only `replies` shows what recipients have written, and their numbers. */
export const scopes = ['send', 'report', 'replies', 'files', 'webhooks', 'usage'] as const
export type Scope = (typeof scopes)[number]

/** `smpp`: a password of eight characters that serves to bind over SMPP alone. */
export type CredentialKind = 'password' | 'key' | 'smpp'

export interface Credential {
  /** In this cell; in tokens. */
  readonly id: number
  readonly accountId: number
  /** In a key's text and in the commands; the same in every cell. */
  readonly keyId: string
  readonly kind: CredentialKind
  /** Of a password, also one for SMPP, the PHC string of argon2id, of a key its SHA-256 in hexadecimal. Null once it has ended: it is erased. */
  readonly hash: string | null
  /** Null: every scope. */
  readonly scopes: readonly Scope[] | null
  /** Null: every network. */
  readonly networks: AddressList | null
  /** Its expiry, or the end of its overlap with a successor. */
  readonly endsAt: Date | null
}

export function hasEnded({ endsAt }: Pick<Credential, 'endsAt'>, now: Date): boolean {
  return endsAt !== null && endsAt.getTime() <= now.getTime()
}
