import type { AccountTrust } from '../../../../src/trust/accounts.ts'
import type { AccountAdvertising } from '../../../../src/trust/advertising/accounts.ts'
import type { ProtectedAccount } from '../../../../src/trust/abuse/protection.ts'
import type { NightChoice } from '../../../../src/trust/quiet-hours/choices.ts'
import type { StoredSenderState, SenderKind } from '../../../../src/trust/senders/sender.ts'
import type { KnownRecipient } from './flows.ts'

export interface KnownRegistration {
  readonly accountId: number
  readonly kind: SenderKind
  readonly value: string
  readonly state: StoredSenderState
  /** Unix time in milliseconds; null means unlimited. */
  readonly until: number | null
}

/** Operator settings of an account. */
export interface KnownAccountState {
  readonly trust: AccountTrust
  readonly advertising: AccountAdvertising
  readonly protection: ProtectedAccount
  readonly night: NightChoice
}

export interface AcceptedMessage {
  readonly accountId: number
  readonly recipient: KnownRecipient
  readonly channels: readonly string[]
  readonly at: number
  /** Whether the message counts for the velocity of its recipient. */
  readonly isCounted: boolean
}

export type ExpectedDecision =
  | 'submit'
  | { readonly failsBy: string }
  | { readonly heldUntil: number; readonly by: string }
