/**
 * The one small interface behind which every carrier protocol lives.
 *
 * A connector turns a carrier-neutral submission into the carrier's protocol and the carrier's words back into
 * neutral ones. It knows nothing of accounts, flows, queues or the database, and it never repeats a
 * submission by itself: whether to repeat is the dispatcher's decision, because only `unreachable` and
 * `throttled` say that the carrier surely did not take it.
 */
import type { Cause } from '../channels/cause.ts'
import type { Part } from '../channels/channel.ts'

/** One part of one attempt. A long text is several submissions, each with its own outcome and receipt. */
export interface Submission {
  /** Stable for this attempt and part; a carrier that refuses duplicates may be given it. */
  readonly reference: string
  /** Digits in domestic form, or a registered text sender id. */
  readonly from: string
  /** Digits in domestic form (`01012345678`) or international form with a leading `+`. */
  readonly to: string
  readonly content: Part
  /** After this moment nobody waits for the message any more. */
  readonly validUntil: Date
}

export type SubmitOutcome =
  | { readonly kind: 'accepted'; readonly carrierId: string }
  /** The carrier wants the whole route slower; surely not taken. */
  | { readonly kind: 'throttled'; readonly code: string; readonly retryAfterMs: number }
  /** Final for this attempt. */
  | { readonly kind: 'refused'; readonly cause: Cause; readonly code: string; readonly text: string }
  /** Surely not taken: it never left this process, or the carrier said "try again". */
  | { readonly kind: 'unreachable'; readonly code: string; readonly text: string }
  /** Perhaps taken: sent, and no answer came. Never repeated blindly. */
  | { readonly kind: 'unknown'; readonly code: string; readonly text: string }

/** What a carrier says later about something it accepted. */
export interface Receipt {
  /** The id as the carrier spelt it in the receipt; null when it gave none. */
  readonly carrierId: string | null
  /** `pending` is an intermediate notice: it proves life and changes nothing. */
  readonly result: 'delivered' | 'failed' | 'pending'
  readonly cause: Cause
  /** The carrier's own words, for the operator: for example `UNDELIV:001`. */
  readonly code: string
  /** The recipient's number as the receipt gives it, in whatever form. */
  readonly recipient: string
  readonly sender: string
  /** When the carrier says it happened; null when it did not say. */
  readonly at: Date | null
}

export interface ConnectorContext {
  /** Resolves when the receipt is durable; only then may the carrier be told that we have it. */
  readonly onReceipt: (receipt: Receipt) => Promise<void>
  /** Called whenever the link starts or stops being able to take submissions. */
  readonly onLink: (up: boolean, reason: string) => void
  readonly log: ConnectorLog
}

export interface ConnectorLog {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

export interface Connector {
  /** How many submissions the carrier lets us have unanswered, over all sessions. */
  readonly window: number
  readonly linked: boolean
  /** Starts linking and returns; keeps the link up until `stop`. */
  start(): void
  /** Never rejects: every failure is an outcome. */
  submit(submission: Submission): Promise<SubmitOutcome>
  /** Waits for open submissions (bounded), takes leave of the carrier, closes. */
  stop(): Promise<void>
}
