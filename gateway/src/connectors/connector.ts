/**
 * The interface that every carrier protocol implements.
 *
 * A connector converts a carrier-neutral submission to the protocol of the carrier, and its responses and receipts back.
 * It knows nothing of accounts, flows, queues or the database, and it never repeats a submission: dispatch decides that,
 * because only `unreachable` and `throttled` mean that the carrier certainly did not accept it.
 */
import type { Cause } from '../channels/cause.ts'
import type { Part } from '../channels/channel.ts'

/** One part of one attempt. A long text is several submissions, each with its own outcome and receipt. */
export interface Submission {
  /** Stable for this attempt and part; for carriers that can refuse duplicates. */
  readonly reference: string
  /** Digits in domestic form, or a registered text sender id. */
  readonly from: string
  /** Digits in domestic form (`01012345678`) or international form with a leading `+`. */
  readonly to: string
  readonly content: Part
  /** The deadline of the step; the message must not be delivered after it. */
  readonly validUntil: Date
}

export type SubmitOutcome =
  | { readonly kind: 'accepted'; readonly carrierId: string }
  /** The carrier throttles the route; certainly not accepted. */
  | { readonly kind: 'throttled'; readonly code: string; readonly retryAfterMs: number }
  /** Final for this attempt. */
  | { readonly kind: 'refused'; readonly cause: Cause; readonly code: string; readonly text: string }
  /** Certainly not accepted: it was never sent, or the carrier reported a temporary error. */
  | { readonly kind: 'unreachable'; readonly code: string; readonly text: string }
  /** Possibly accepted: sent, but without a response. It must not be repeated. */
  | { readonly kind: 'unknown'; readonly code: string; readonly text: string }

/** A later report of the carrier about a submission that it accepted. */
export interface Receipt {
  /** The id as spelled in the receipt; null when there is none. */
  readonly carrierId: string | null
  /** `pending` is an intermediate notice, which changes nothing. */
  readonly result: 'delivered' | 'failed' | 'pending'
  readonly cause: Cause
  /** The code of the carrier, for the operator: for example `UNDELIV:001`. */
  readonly code: string
  /** The number of the recipient as given in the receipt, in any format. */
  readonly recipient: string
  readonly sender: string
  /** The time given by the carrier; null when there is none. */
  readonly at: Date | null
}

export interface ConnectorContext {
  /** Resolves when the receipt is durable; only then may it be acknowledged to the carrier. */
  readonly onReceipt: (receipt: Receipt) => Promise<void>
  /** Called whenever the link starts or stops accepting submissions. */
  readonly onLink: (up: boolean, reason: string) => void
  readonly log: ConnectorLog
}

export interface ConnectorLog {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

export interface Connector {
  /** Maximum number of unanswered submissions over all sessions. */
  readonly window: number
  readonly linked: boolean
  /** Starts to connect and returns; keeps the link up until `stop`. */
  start(): void
  /** Never rejects: every failure is an outcome. */
  submit(submission: Submission): Promise<SubmitOutcome>
  /**
   * Waits for open submissions, then disconnects from the carrier. No longer than the connector's own limit, nor than this
   * one; a carrier that is silent then delays it by half a second at least.
   */
  stop(limitMs?: number): Promise<void>
}
