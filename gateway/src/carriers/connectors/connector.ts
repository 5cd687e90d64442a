/**
 * The interface that every carrier protocol implements. `kind.ts` describes a protocol, `registry.ts` lists them, and
 * docs/contributing/add-a-connector.md shows how to add one.
 *
 * A connector converts a carrier-neutral submission to the protocol of the carrier, and its responses and receipts back.
 * It is independent of flows, queues and the database. It repeats a submission by itself only where this cannot deliver the
 * message twice, such as after a refused token or a lost file. Dispatch decides on every other repetition: `unreachable` and
 * `throttled` tell it that the carrier certainly did not accept the submission.
 */
import type { Cause } from '../../channels/cause.ts'
import type { FileReference, Part, Step } from '../../channels/channel.ts'
import type { ChannelContent } from '../../channels/content.ts'
import type { MobileCarrier } from '../../channels/mobile-carriers.ts'
import type { Reply } from './reply.ts'

/**
 * One part of one attempt, or the whole message for a connector that submits whole messages. Contains everything that the
 * client provided for the step. Fields other than the first three can be computed on access: read them once.
 */
export interface Submission {
  /**
   * Our reference, unique to this submission and the same in all its repeats: `<msgKey>-<step>-<try>-<part>`, at most 50
   * characters of `[0-9A-Z-]`. For carriers that detect duplicates or return the reference in receipts.
   */
  readonly reference: string
  /** A sender that `classifySender` accepts; empty if the channel has none. */
  readonly from: string
  /** Digits in domestic form (`01012345678`) or international form with a leading `+`. */
  readonly to: string
  /** The part to submit; null for a connector that submits whole messages. */
  readonly part: Part | null
  /** The whole content, typed by its channel. */
  readonly message: ChannelContent
  /** The validated step as the client sent it, for carriers with the same API as this gateway. */
  readonly given: Step
  /** The registration number of the operator that first accepted the message. */
  readonly originCid: string | undefined
  readonly isAdvertisement: boolean
  /** The uploaded files that the content refers to; `ConnectorContext.openFile` reads them by `key`. */
  readonly files: readonly FileReference[]
  /** The deadline of the step; the message must not be delivered after it. */
  readonly validUntil: Date
  /** Time limit set by the client. */
  readonly ttlSeconds: number | undefined
}

export type SubmitOutcome =
  | {
      readonly kind: 'accepted'
      /** Carrier's spelling; empty if the response has none. */
      readonly carrierId: string
      /** The recipient's mobile carrier, if the response states it. */
      readonly carrier?: MobileCarrier
      /** The carrier reports congestion: the route slows down as if it were throttled. */
      readonly congested?: true
    }
  /** The carrier throttles the route; certainly not accepted. */
  | { readonly kind: 'throttled'; readonly code: string; readonly retryAfterMs: number }
  /** Final for this attempt. */
  | {
      readonly kind: 'refused'
      readonly cause: Cause
      /** A code of `channels/report-details.ts` that is more specific than the cause. Other values are ignored. */
      readonly reportCode?: string
      /**
       * The number was ported to this carrier: a step with one part moves to a route that lists it among its carriers, if
       * one exists.
       */
      readonly portedTo?: MobileCarrier
      readonly code: string
      readonly text: string
    }
  /** Certainly not accepted: it was never sent, or the carrier reported a temporary error. */
  | { readonly kind: 'unreachable'; readonly code: string; readonly text: string }
  /** Possibly accepted: sent, but without a response. Repeated only when the connector is `repeatable`. */
  | { readonly kind: 'unknown'; readonly code: string; readonly text: string }

/** A later statement of the carrier about a submission. */
export interface Receipt {
  /** The id in the receipt's spelling; null if it has none. */
  readonly carrierId: string | null
  /** Our reference, if the carrier returns it. Matched before the id, and also after an unknown outcome. */
  readonly reference?: string
  /** `pending` is an intermediate notice, which has no effect. */
  readonly result: 'delivered' | 'failed' | 'pending'
  readonly cause: Cause
  /** See the outcome `refused`. */
  readonly reportCode?: string
  /** See the outcome `refused`. With `failed` only. */
  readonly portedTo?: MobileCarrier
  /** The carrier's code for operators, for example `UNDELIV:001`. */
  readonly code: string
  /** The recipient's number as in the receipt, in any format; empty if it has none. */
  readonly recipient: string
  /** Restricts matching to submissions to `recipient`, because a subscriber could have written the receipt. */
  readonly recipientMustMatch?: true
  readonly sender: string
  /** The time stated by the carrier; null if it states none. */
  readonly at: Date | null
  /** The recipient's mobile carrier, if the receipt states it. */
  readonly carrier?: MobileCarrier
  /** Brand messages only: whether the recipient was a friend of the channel. */
  readonly userType?: 'F' | 'N'
}

/** A past submission, for a query to its carrier. */
export interface RecordedSubmission {
  readonly reference: string
  /** The carrier's id, in its own spelling; null if its response was lost or contained none. */
  readonly carrierId: string | null
  /** Sender and recipient as in the submission. */
  readonly from: string
  readonly to: string
  /** The step as the client sent it. */
  readonly given: Step
  readonly submittedAt: Date
}

export type LookupResult =
  | {
      readonly kind: 'found'
      readonly carrierId: string | null
      /** `null` while the carrier has no final result. */
      readonly receipt: Receipt | null
    }
  /** Not a proof that the carrier did not accept it; see `Lookup`. */
  | { readonly kind: 'not-found' }
  | { readonly kind: 'failed'; readonly code: string; readonly text: string }

/**
 * Queries the carrier for the result of a submission. A final result is handled as a receipt. `not-found` changes nothing and
 * never causes another submission: no known carrier documents that it proves non-acceptance, and many list a submission
 * only some time after they accepted it.
 */
export interface Lookup {
  /** Whether the carrier supports queries by our reference, which work after a lost response. */
  readonly lostResponse: boolean
  /** Whether the carrier supports queries for accepted submissions, by its id or our reference. */
  readonly missingReceipt: boolean
  /** An error, or 10 s without a result, counts as `failed`. */
  find(submission: RecordedSubmission): Promise<LookupResult>
}

/**
 * `revoked` means that the carrier certainly does not deliver the submission; it counts as a receipt: failed, timeout.
 * `too-late` means that the carrier has delivered it or does not have it.
 */
export type RevokeResult = 'revoked' | 'too-late' | 'failed'

/** An uploaded file. */
export interface ConnectorFile {
  readonly key: string
  readonly bytes: Buffer
  /** MIME type, such as `image/jpeg`. */
  readonly contentType: string
  /** The key with the extension of its type. */
  readonly name: string
}

export interface ConnectorContext {
  /** Resolves when the receipt is durable; acknowledge it to the carrier only then. Rejects if it cannot be stored. */
  readonly onReceipt: (receipt: Receipt) => Promise<void>
  /**
   * Resolves when the reply is durable; acknowledge it to the carrier only then. Unset where a link runs without its
   * account, such as in a command: replies are then acknowledged and dropped.
   */
  readonly onReply?: (reply: Reply) => Promise<void>
  /** Called whenever the link starts or stops accepting submissions. */
  readonly onLink: (up: boolean, reason: string) => void
  /** Called when connecting fails, with the reason given by the carrier or the network, for operators and without secrets. */
  readonly onLinkFailure?: (reason: string) => void
  /**
   * Counts an event that is neither an outcome nor a receipt, such as `reply` or `token-renewed`, in
   * `postern_connector_events_total`. Use few names, never one that the carrier chooses.
   */
  readonly onEvent: (event: string) => void
  /**
   * Reads an uploaded file by a `key` of `Submission.files`. Resolves to null if the file was removed or is not a file of
   * this gateway (a URL of the carrier). Rejects if the file store is unavailable or takes 10 s; the outcome is then
   * `unreachable`.
   */
  readonly openFile: (key: string) => Promise<ConnectorFile | null>
  /** Several owners can run a route, each with a connector; the first owner polls for the results of all. */
  readonly isFirstOwner: boolean
  readonly log: ConnectorLog
}

export interface ConnectorLog {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

/** Whether a recipient can receive a channel, as known before submission. */
export type Capability = 'capable' | 'incapable' | 'unknown'

export interface Connector {
  /**
   * Whether the carrier detects duplicates by the reference: a repeated submission is not delivered twice and gets the same
   * response. Dispatch then repeats an unknown outcome a few times, with the same reference over the same link.
   */
  readonly repeatable?: boolean
  /** Maximum number of open submissions over all sessions. */
  readonly window: number
  readonly linked: boolean
  /** Starts connecting, and polling for results if `context.isFirstOwner`. Returns immediately; keeps the link up until `stop`. */
  start(): void
  /** Never rejects: every failure is an outcome. If it throws anyway, the outcome is `unknown`. */
  submit(submission: Submission): Promise<SubmitOutcome>
  /**
   * Returns the carrier's id of a submission, for carriers that let us choose it. Recorded for submissions whose response
   * was lost, so that their receipts match.
   */
  carrierIdFor?(reference: string): string
  /**
   * Checks whether the recipient can receive the channel. An incapable recipient is refused as `unsupported` without a
   * submission. After an error, or 5 s without a result, the message is submitted.
   */
  capability?(to: string): Promise<Capability>
  /** Finds missing results, for carriers that support queries. */
  readonly lookup?: Lookup
  /** Cancels an undelivered submission shortly before its deadline. An error, or 10 s without a result, counts as `failed`. */
  revoke?(submission: RecordedSubmission): Promise<RevokeResult>
  /**
   * Waits for open submissions, then disconnects, which takes additional time. The wait is limited by the connector's own
   * limit and by `limitMs`, but open submissions over HTTP get at least half a second.
   */
  stop(limitMs?: number): Promise<void>
}
