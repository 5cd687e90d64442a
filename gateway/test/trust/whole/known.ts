/** What the reference model knows, and what it says of a submission. */
import type { AccountTrust } from '../../../src/trust/accounts.ts'
import type { AccountAdvertising } from '../../../src/trust/advertising/accounts.ts'
import type { ProtectedAccount } from '../../../src/trust/abuse/protection.ts'
import type { NightChoice } from '../../../src/trust/quiet-hours/choices.ts'
import type { StoredState, SenderKind } from '../../../src/trust/senders/sender.ts'
import type { Recipient } from './flows.ts'

export interface Registered {
  readonly accountId: number
  readonly kind: SenderKind
  readonly value: string
  readonly state: StoredState
  /** Milliseconds; null: without end. */
  readonly until: number | null
}

/** What an operator has set for an account. */
export interface AccountState {
  readonly trust: AccountTrust
  readonly advertising: AccountAdvertising
  readonly protection: ProtectedAccount
  readonly night: NightChoice
}

export interface AcceptedMessage {
  readonly accountId: number
  readonly recipient: Recipient
  readonly channels: readonly string[]
  readonly at: number
  /** It counts for the velocity of its recipient. */
  readonly isCounted: boolean
}

export type Verdict =
  'submit' | { readonly failsBy: string } | { readonly heldUntil: number; readonly by: string }
