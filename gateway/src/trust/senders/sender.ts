/** A sender that is registered for an account: what it is, its state, its proof. */
import { maskMobile, plainNumber } from '../../channels/numbers.ts'

/**
 * `number`: a Korean number. `international`: a number of another country or an alphanumeric sender ID, for international
 * SMS only. The others are keys of carriers.
 */
export const senderKinds = [
  'number',
  'international',
  'chatbot',
  'brand',
  'kakao-key',
  'kakao-template',
] as const
export type SenderKind = (typeof senderKinds)[number]

/** Removes the blanks, brackets and hyphens of a number. A sender ID keeps them. */
export function plainValue(kind: SenderKind, value: string): string {
  return kind === 'number' || (kind === 'international' && value.startsWith('+')) ? plainNumber(value) : value
}

/** The id of a chatbot may be a phone number; the ids of other kinds only look like one. */
const numberKinds: readonly SenderKind[] = ['number', 'international', 'chatbot']

/** Masks mobile numbers, because they may belong to a person. */
export function shownValue(kind: SenderKind, value: string): string {
  return numberKinds.includes(kind) ? maskMobile(value) : value
}

export function isMasked(kind: SenderKind, value: string): boolean {
  return shownValue(kind, value) !== value
}

/** An active sender past `validUntil` is `expired`, a state that is never stored. */
export const storedStates = ['pending', 'rejected', 'active', 'blocked'] as const
export type StoredState = (typeof storedStates)[number]
export const senderStates = [...storedStates, 'expired'] as const
export type SenderState = (typeof senderStates)[number]

/** How the account proved that it may use the sender. */
export const proofKinds = [
  // The telephone operator's certificate that names the holder of the number.
  'certificate',
  // The holder answered a call or text on the number.
  'phone-check',
  // The holder, another person or company, agreed in writing.
  'consent',
  // The carrier or the messenger has reviewed the brand, key or template.
  'carrier-review',
  // The operator has checked it in another way; the reference says how.
  'operator',
] as const
export type ProofKind = (typeof proofKinds)[number]

export interface Proof {
  readonly kind: ProofKind
  /** Where the proof is kept: a document number, never the document. */
  readonly reference: string
  /** The day it was issued, YYYY-MM-DD. */
  readonly issued: string | null
}

export interface Sender {
  readonly accountId: number
  readonly kind: SenderKind
  readonly value: string
  readonly state: StoredState
  readonly validUntil: Date | null
  readonly proof: Proof | null
}

export function stateAt(
  { state, validUntil }: Pick<Sender, 'state' | 'validUntil'>,
  now: number,
): SenderState {
  return state === 'active' && validUntil !== null && validUntil.getTime() <= now ? 'expired' : state
}
