/**
 * Describes a kind of connector: its options, its login at the carrier, its creation, and its handling of the carrier's HTTP
 * requests. Only `create` has side effects: everything else can run in any process.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TObject } from 'typebox'
import type { ChannelName } from '../../../channels/channel.ts'
import type { Connector, ConnectorContext, Receipt, Submission } from '../connector.ts'
import type { Reply } from '../reply.ts'

export interface ConnectorKind<Schema extends TObject = TObject> {
  /** The `--protocol` of its routes and the name of its documentation page: lower-case letters, digits and hyphens. */
  readonly name: string
  /** One sentence for the command help and the documentation page. */
  readonly summary: string
  /** Channels that a route of this kind can serve. */
  readonly channels: readonly ChannelName[]
  /** Default unit of submission. */
  readonly submissionUnit: SubmissionUnit
  /** Returns the unit of submission for these options. Defaults to `submissionUnit`. */
  readonly submissionUnitFor?: (options: Static<Schema>) => SubmissionUnit
  /**
   * Whether several workers can run a route of this kind concurrently (`--owners`), each with a connector and the same
   * login. Must be unset for a kind that polls for results and acknowledges them, unless it polls only if
   * `ConnectorContext.isFirstOwner`.
   */
  readonly severalOwners?: boolean
  /**
   * Every name that `ConnectorContext.onEvent` and `InboundResult.events` use, with its meaning for the documentation.
   * `../events.ts` has the common ones. Any other name is counted as `undeclared`.
   */
  readonly events: Readonly<Record<string, string>>
  /** A closed schema with a description of every field. `options.ts` has the common fields. */
  readonly options: Schema
  /** Valid options for the documentation and the help, with secrets as references. */
  readonly example: Readonly<Record<string, unknown>>
  /** Additional Markdown for the documentation page: questions for the carrier, unsupported features. */
  readonly notes?: string
  /** Markdown below the options, for the help and the documentation site only: meanings of codes, sources. */
  readonly details?: string
  /** Checks what the schema cannot express. Throws an Error that names the field and never its value. */
  readonly check?: (options: Static<Schema>) => void
  /**
   * Identifies the login at the carrier, for example by host and user. Routes of this kind with the same login receive
   * each other's receipts, and no receipt settles a message of another login.
   */
  readonly login: (options: Static<Schema>) => readonly string[]
  /** Whether a route with these options submits `originCid`. Defaults to false. */
  readonly supportsOriginCode?: (options: Static<Schema>) => boolean
  /** Whether a route with these options sends messages without a brand under a shared brand. Defaults to false. */
  readonly usesSharedBrand?: (options: Static<Schema>) => boolean
  readonly create: (options: Static<Schema>, context: ConnectorContext) => Connector
  /** Same as `Connector.carrierIdFor`, for a route that is not running. Returns undefined if the carrier assigns the id. */
  readonly carrierIdFor?: (options: Static<Schema>) => ((reference: string) => string) | undefined
  /**
   * Handles requests of the carrier to `/inbound/<route>/…` at the API. Runs in every API process, which has no link, so it
   * must depend on the options only. If unset, such requests get a 404.
   */
  readonly inbound?: (options: Static<Schema>) => Inbound
  /** Builds the request of a submission, with secrets masked, for `postern route try`. Sends nothing. */
  readonly preview?: (options: Static<Schema>, submission: Submission) => RequestPreview
}

/**
 * Unit of submission. `parts`: a long text becomes several submissions, each with its own outcome and receipt.
 * `wide-parts`: the same, but parts leave space for a 16-bit concatenation reference where the text allows it. `message`:
 * always one submission.
 */
export type SubmissionUnit = 'parts' | 'wide-parts' | 'message'

export interface RequestPreview {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface InboundRequest {
  readonly method: string
  /** Path after `/inbound/<route>`, with a leading slash and without the query. */
  readonly path: string
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders
  /** Limited to `maxInboundBytes`. */
  readonly body: Buffer
}

export interface InboundResult {
  /** Stored durably before the response is sent. If that fails, the response is 503 and the carrier repeats the request. */
  readonly receipts: readonly Receipt[]
  /** Messages and events of recipients, stored durably before the response like receipts. */
  readonly replies?: readonly Reply[]
  /** Names of events to count, such as `reply`. */
  readonly events?: readonly string[]
  readonly response: InboundResponse
}

export interface InboundResponse {
  /** 401 or 403, without receipts, if the request is not authenticated as the carrier's. */
  readonly status: number
  readonly contentType?: string
  readonly body?: string
}

/** Verifies the request, then parses it. Never throws: returns 400 for a request that it cannot parse. */
export type Inbound = (request: InboundRequest) => InboundResult

export const maxInboundBytes = 1024 * 1024
/** Requests with more receipts or replies are rejected with 413. */
export const maxInboundReceipts = 1_000

/** Checks the types of a kind and erases its options type for the registry. */
export function defineConnector<Schema extends TObject>(kind: ConnectorKind<Schema>): ConnectorKind {
  return kind
}
