/** A sender that is registered for an account: its kind, its state, its proof. */
import { maskMobile, stripNumber } from '../../channels/numbers.ts'

/**
 * `number`: a Korean number. `international`: a number of another country or an alphanumeric sender ID, for
 * international SMS only. The others are keys of carriers.
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

/** Removes the spaces, brackets and hyphens of a number. A sender ID keeps them. */
export function normalizeSenderValue(kind: SenderKind, value: string): string {
  return kind === 'number' || (kind === 'international' && value.startsWith('+')) ? stripNumber(value) : value
}

/** Kinds whose values can be phone numbers. The ids of other kinds only look like one. */
const numberKinds: readonly SenderKind[] = ['number', 'international', 'chatbot']

/** Masks mobile numbers, because they can belong to a person. */
export function maskSenderValue(kind: SenderKind, value: string): string {
  return numberKinds.includes(kind) ? maskMobile(value) : value
}

export function isSenderMasked(kind: SenderKind, value: string): boolean {
  return maskSenderValue(kind, value) !== value
}

export const storedSenderStates = ['pending', 'rejected', 'active', 'blocked'] as const
export type StoredSenderState = (typeof storedSenderStates)[number]
/** An active sender past `validUntil` is `expired`, a state that is never stored. */
export const senderStates = [...storedSenderStates, 'expired'] as const
export type SenderState = (typeof senderStates)[number]

/**
 * The kinds whose registration allows a sender of the kind. The holder of a number also holds the chatbot of that number;
 * the opposite is not proven.
 */
export const sufficientKinds: Readonly<Record<SenderKind, readonly SenderKind[]>> = {
  number: ['number'],
  international: ['international', 'number'],
  chatbot: ['chatbot', 'number'],
  brand: ['brand'],
  'kakao-key': ['kakao-key'],
  'kakao-template': ['kakao-template'],
}

/** How the account proved that it can use the sender. */
export const proofKinds = [
  // The telephone operator's certificate that names the holder of the number.
  'certificate',
  // The holder answered a call or text on the number.
  'phone-check',
  // The holder, another person or company, agreed in writing.
  'consent',
  // The carrier or the messenger has reviewed the brand, key or template.
  'carrier-review',
  // The operator has checked it in another way, which the reference describes.
  'operator',
] as const
export type ProofKind = (typeof proofKinds)[number]

export interface SenderProof {
  readonly kind: ProofKind
  /** Where the proof is filed: a document number, never the document. */
  readonly reference: string
  /** The issue date, YYYY-MM-DD. */
  readonly issued: string | null
}

export interface RegisteredSender {
  readonly accountId: number
  readonly kind: SenderKind
  readonly value: string
  readonly state: StoredSenderState
  readonly validUntil: Date | null
  readonly proof: SenderProof | null
}

export function computeSenderState(
  { state, validUntil }: Pick<RegisteredSender, 'state' | 'validUntil'>,
  now: number,
): SenderState {
  return state === 'active' && validUntil !== null && validUntil.getTime() <= now ? 'expired' : state
}
