/**
 * Describes a kind of connector: its options, its login at the carrier, how it is created, and what it does with the
 * carrier's own HTTP requests. Everything but `create` is pure, so that any process can call it.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TObject } from 'typebox'
import type { ChannelName } from '../channels/channel.ts'
import type { Connector, ConnectorContext, Receipt, Submission } from './connector.ts'
import type { Reply } from './reply.ts'

export interface ConnectorKind<Schema extends TObject = TObject> {
  /** The `--protocol` of its routes and the name of its page: lower-case letters, digits and hyphens. */
  readonly name: string
  /** One sentence for the help and the top of its page. */
  readonly summary: string
  /** Channels that a route of this kind can serve. */
  readonly channels: readonly ChannelName[]
  /** What routes of this kind take, unless their options say otherwise. */
  readonly takes: Takes
  /** What a route with these options takes. Absent: `takes`. */
  readonly takesWith?: (options: Static<Schema>) => Takes
  /**
   * Several workers may run a route of this kind at the same time (`--owners`), each with a connector and the same login.
   * Absent: one only. Not for a kind that polls for results and acknowledges them, unless only `isFirstOwner` does.
   */
  readonly severalOwners?: boolean
  /**
   * Every name that `ConnectorContext.onEvent` and `InboundResult.events` use, with its meaning, for its page. `events.ts`
   * has the usual ones. Any other name is counted as `undeclared`.
   */
  readonly events: Readonly<Record<string, string>>
  /** Closed, with a description of every field. `options.ts` has the usual fields. */
  readonly options: Schema
  /** Valid options, for its page and the help. Secrets as references. */
  readonly example: Readonly<Record<string, unknown>>
  /** More for its page, in Markdown: what to ask the carrier, what is not supported. */
  readonly notes?: string
  /** Checks that the schema cannot express; throws an Error that names the field and never its value. */
  readonly check?: (options: Static<Schema>) => void
  /**
   * Names the login at the carrier: for example the host and the user. Routes of this kind with the same login receive
   * each other's receipts, and no receipt settles a message of another login.
   */
  readonly login: (options: Static<Schema>) => readonly string[]
  /** Whether a route with these options has a place for `originCid`. Absent: none has. */
  readonly carriesOrigin?: (options: Static<Schema>) => boolean
  /** Whether a route with these options sends a message that names no brand under a brand that others use too. Absent: none does. */
  readonly lendsBrand?: (options: Static<Schema>) => boolean
  readonly create: (options: Static<Schema>, context: ConnectorContext) => Connector
  /** As `Connector.carrierIdFor`, for a route that does not run. Undefined where the carrier chooses the id. */
  readonly carrierIdFor?: (options: Static<Schema>) => ((reference: string) => string) | undefined
  /**
   * Handles requests of the carrier to `/inbound/<route>/…` at the API. It runs in every API process, which has no link:
   * it must need nothing but the options. Absent: such requests are answered with 404.
   */
  readonly inbound?: (options: Static<Schema>) => Inbound
  /** The request that a submission would make, with secrets masked, for `postern route try`. Sends nothing. */
  readonly preview?: (options: Static<Schema>, submission: Submission) => RequestPreview
}

/**
 * `parts`: a long text is several submissions, each with its outcome and receipt. `wide-parts`: as many, with room for a
 * concatenation reference of 16 bits where the text allows it. `message`: always one.
 */
export type Takes = 'parts' | 'wide-parts' | 'message'

export interface RequestPreview {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface InboundRequest {
  readonly method: string
  /** What follows `/inbound/<route>`: begins with a slash, without the query. */
  readonly path: string
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders
  /** At most `maxInboundBytes`. */
  readonly body: Buffer
}

export interface InboundResult {
  /** Made durable before the answer is sent; when that fails the answer is 503 instead, and the carrier repeats. */
  readonly receipts: readonly Receipt[]
  /** Texts and events of recipients. Durable before the answer, like receipts. */
  readonly replies?: readonly Reply[]
  /** Names of events in the request to count, such as `reply`. */
  readonly events?: readonly string[]
  readonly answer: InboundAnswer
}

export interface InboundAnswer {
  /** 401 or 403 for a request that is not the carrier's, without receipts. */
  readonly status: number
  readonly contentType?: string
  readonly body?: string
}

/** Verifies the request first, then reads it. Throws nothing: what it cannot read is answered with 400. */
export type Inbound = (request: InboundRequest) => InboundResult

export const maxInboundBytes = 1024 * 1024
/** More receipts or replies in one request are refused with 413. */
export const maxInboundReceipts = 1_000

/** Checks the types of a kind and forgets its options' type, for the registry. */
export function defineConnector<Schema extends TObject>(kind: ConnectorKind<Schema>): ConnectorKind {
  return kind
}
