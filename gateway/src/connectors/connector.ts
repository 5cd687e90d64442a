/**
 * The interface that every carrier protocol implements. `kind.ts` describes a protocol, `registry.ts` lists them, and
 * docs/add-a-connector.md shows how to add one.
 *
 * A connector converts a carrier-neutral submission to the protocol of the carrier, and its responses and receipts back.
 * It knows nothing of flows, queues or the database, and it never repeats a submission: dispatch decides that, because
 * only `unreachable` and `throttled` mean that the carrier certainly did not accept it.
 */
import type { Cause } from '../channels/cause.ts'
import type { FileReference, Part, Step } from '../channels/channel.ts'
import type { ChannelContent } from '../channels/content.ts'
import type { MobileCarrier } from '../channels/mobile-carriers.ts'
import type { Reply } from './reply.ts'

/**
 * One part of one attempt, or for a connector that takes messages the whole of it. It carries all that the client gave
 * for the step. Fields other than the first three may be computed when they are read: read them once.
 */
export interface Submission {
  /**
   * Ours, the same in every repeat of this submission and in no other: `<msgKey>-<step>-<try>-<part>`, at most 50
   * characters of `[0-9A-Z-]`. For carriers that refuse duplicates or return it in receipts.
   */
  readonly reference: string
  /** A sender that `classifySender` accepts; empty if the channel has none. */
  readonly from: string
  /** Digits in domestic form (`01012345678`) or international form with a leading `+`. */
  readonly to: string
  /** What a connector that takes parts submits now; null for one that takes messages. */
  readonly part: Part | null
  /** The whole content, typed by its channel. */
  readonly message: ChannelContent
  /** The step as the client gave it, checked; for carriers with the same API as this gateway. */
  readonly given: Step
  /** The registration number of the operator that first accepted the message. */
  readonly originCid: string | undefined
  readonly isAdvertisement: boolean
  /** The uploaded files that the content refers to; `ConnectorContext.openFile` reads them by `key`. */
  readonly files: readonly FileReference[]
  /** The deadline of the step; the message must not be delivered after it. */
  readonly validUntil: Date
  /** The time limit that the client gave, if any. */
  readonly ttlSeconds: number | undefined
}

export type SubmitOutcome =
  | {
      readonly kind: 'accepted'
      /** As the carrier spells it; empty when it gave none. */
      readonly carrierId: string
      /** The recipient's mobile carrier, when the answer names it. */
      readonly carrier?: MobileCarrier
      /** The carrier says that it takes no more than this for long: the route slows down as if it were throttled. */
      readonly congested?: true
    }
  /** The carrier throttles the route; certainly not accepted. */
  | { readonly kind: 'throttled'; readonly code: string; readonly retryAfterMs: number }
  /** Final for this attempt. */
  | {
      readonly kind: 'refused'
      readonly cause: Cause
      /** A code of `channels/report-details.ts` that says more than the cause, if there is one; others are ignored. */
      readonly reportCode?: string
      /**
       * The number belongs to this carrier now: the step goes to a route that lists it among its carriers, if there is one
       * and the step has one part.
       */
      readonly portedTo?: MobileCarrier
      readonly code: string
      readonly text: string
    }
  /** Certainly not accepted: it was never sent, or the carrier reported a temporary error. */
  | { readonly kind: 'unreachable'; readonly code: string; readonly text: string }
  /** Possibly accepted: sent, but without a response. Repeated only when the connector is `repeatable`. */
  | { readonly kind: 'unknown'; readonly code: string; readonly text: string }

/** A later report of the carrier about a submission that it accepted. */
export interface Receipt {
  /** The id as spelled in the receipt; null when there is none. */
  readonly carrierId: string | null
  /** Our reference, when the carrier returns it. It is matched before the id, and after an unknown outcome too. */
  readonly reference?: string
  /** `pending` is an intermediate notice, which changes nothing. */
  readonly result: 'delivered' | 'failed' | 'pending'
  readonly cause: Cause
  /** See the outcome `refused`. */
  readonly reportCode?: string
  /** See the outcome `refused`. With `failed` only. */
  readonly portedTo?: MobileCarrier
  /** The code of the carrier, for the operator: for example `UNDELIV:001`. */
  readonly code: string
  /** The number of the recipient as given in the receipt, in any format; empty when there is none. */
  readonly recipient: string
  /** Only a submission to `recipient` may match: a subscriber could have written the receipt. */
  readonly recipientMustMatch?: true
  readonly sender: string
  /** The time given by the carrier; null when there is none. */
  readonly at: Date | null
  /** The recipient's mobile carrier, when the receipt names it. */
  readonly carrier?: MobileCarrier
  /** Brand message: whether the recipient was a friend of the channel. */
  readonly userType?: 'F' | 'N'
}

/** A submission that was made, for a question to its carrier. */
export interface AskedSubmission {
  readonly reference: string
  /** The carrier's id, in its own spelling; null if its response was lost or contained none. */
  readonly carrierId: string | null
  /** The sender and the recipient, as in the submission. */
  readonly from: string
  readonly to: string
  /** The step as the client gave it. */
  readonly given: Step
  readonly submittedAt: Date
}

export type LookupResult =
  | {
      readonly kind: 'found'
      readonly carrierId: string | null
      /** Null while the carrier has no final result. */
      readonly receipt: Receipt | null
    }
  /** Proves nothing: see `Lookup`. */
  | { readonly kind: 'not-found' }
  | { readonly kind: 'failed'; readonly code: string; readonly text: string }

/**
 * Asks the carrier what became of a submission. A final result is handled as a receipt. A submission that the carrier does
 * not find stays as it is, and is never sent again for that reason: no known carrier documents that `not-found` means that
 * it did not accept the submission, and many list a submission only some time after they accepted it.
 */
export interface Lookup {
  /** The carrier can be asked by our reference, so after a lost response. */
  readonly lostResponse: boolean
  /** The carrier can be asked for the result of a submission that it accepted, by its id or our reference. */
  readonly missingReceipt: boolean
  /** An error, or 10 s without a result, counts as `failed`. */
  find(asked: AskedSubmission): Promise<LookupResult>
}

/**
 * `revoked` means that the carrier certainly does not deliver the submission; it counts as a receipt: failed, timeout.
 * `too-late` means that the carrier has delivered it or does not know it.
 */
export type RevokeResult = 'revoked' | 'too-late' | 'failed'

/** An uploaded file. */
export interface ConnectorFile {
  readonly key: string
  readonly bytes: Buffer
  /** For example `image/jpeg`. */
  readonly contentType: string
  /** The key with the extension of its type. */
  readonly name: string
}

export interface ConnectorContext {
  /** Resolves when the receipt is durable; only then may it be acknowledged to the carrier. Rejects when it is not. */
  readonly onReceipt: (receipt: Receipt) => Promise<void>
  /**
   * Resolves when what a recipient has written is durable; only then may it be acknowledged. Absent where a link is opened
   * without its account, such as by a command: replies are then acknowledged and dropped.
   */
  readonly onReply?: (reply: Reply) => Promise<void>
  /** Called whenever the link starts or stops accepting submissions. */
  readonly onLink: (up: boolean, reason: string) => void
  /** Called when a try to link fails, with what the carrier or the network said, in words for an operator and without a secret. */
  readonly onLinkFailure?: (reason: string) => void
  /**
   * Counts something that an operator may ask about and that is neither an outcome nor a receipt, such as `reply` or
   * `token-renewed`. `postern_connector_events_total` shows it: use few names, never one that the carrier chooses.
   */
  readonly onEvent: (event: string) => void
  /**
   * Reads an uploaded file by a `key` of `Submission.files`. Null when it is not a file of this gateway (an address of
   * the carrier's own) or has been removed. Rejects when the store is unavailable or takes 10 s: the outcome is
   * `unreachable` then.
   */
  readonly openFile: (key: string) => Promise<ConnectorFile | null>
  /** A route may have several owners, each with a connector: the first one polls for results that they share. */
  readonly isFirstOwner: boolean
  readonly log: ConnectorLog
}

export interface ConnectorLog {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

/** What is known of a recipient before anything is sent to it. */
export type Capability = 'capable' | 'incapable' | 'unknown'

export interface Connector {
  /**
   * The carrier recognizes the reference: a repeated submission is not delivered twice, and is answered like the first.
   * Dispatch then repeats an unknown one a few times, with the same reference over the same link.
   */
  readonly repeatable?: boolean
  /** Maximum number of unanswered submissions over all sessions. */
  readonly window: number
  readonly linked: boolean
  /**
   * Starts to connect and returns; keeps the link up until `stop`. Also starts polling for results, when
   * `context.isFirstOwner`.
   */
  start(): void
  /** Never rejects: every failure is an outcome. An error that it throws nevertheless is taken for `unknown`. */
  submit(submission: Submission): Promise<SubmitOutcome>
  /**
   * For carriers that know a submission by an id we choose: that id. It is recorded for submissions whose answer was
   * lost, so that their receipts match.
   */
  carrierIdFor?(reference: string): string
  /**
   * Whether the recipient can receive the channel. An incapable one is refused as `unsupported` without a submission.
   * Without an answer in 5 s, or with an error, the message is submitted.
   */
  capability?(to: string): Promise<Capability>
  /** Finds the results of submissions whose response or receipt is missing, where the carrier can be asked. */
  readonly lookup?: Lookup
  /** Withdraws a submission that is not delivered yet, shortly before its deadline. An error counts as `failed`. */
  revoke?(asked: AskedSubmission): Promise<RevokeResult>
  /**
   * Waits for open submissions, then disconnects from the carrier. No longer than the connector's own limit, nor than this
   * one; a carrier that is silent then delays it by half a second at least.
   */
  stop(limitMs?: number): Promise<void>
}
