/**
 * The interface of a provider: a carrier or aggregator with an HTTP API of its own. A module under `providers/` says what is
 * particular to one API: its options, its requests, and the meaning of its answers and callbacks. The kit does the rest and
 * keeps the guarantees: `connector.ts` decides what was certainly not accepted, `callbacks.ts` answers a callback only after
 * its receipts are stored, and every value from outside is bounded. docs/add-a-provider.md shows how to write a module.
 *
 * All functions of a module are pure. One that throws affects the message at hand only.
 */
import type { Static, TObject, TProperties } from 'typebox'
import type { Cause } from '../../../channels/cause.ts'
import type { ChannelName, FileReference } from '../../../channels/channel.ts'
import type { MobileCarrier } from '../../../channels/mobile-carriers.ts'
import type { LoginResult } from '../../access-token.ts'
import type { AskedSubmission, ConnectorFile, Submission } from '../../connector.ts'
import type { InboundAnswer, InboundRequest } from '../../kind.ts'
import type { NumberFormat } from '../../phone-number.ts'
import type { ReplyPart } from '../../reply.ts'
import type { ProviderAnswer, ProviderFailure, ProviderOutcome, Refusal } from './answer.ts'
import type { ProviderRequest } from './request.ts'

export interface Provider<Account extends TProperties = TProperties> {
  /** The `--protocol` of its routes: lower-case letters, digits and hyphens. */
  readonly name: string
  /** One sentence for the help and the top of its page. */
  readonly summary: string
  readonly channels: readonly ChannelName[]
  /** Addresses of the public documentation that the module was written from, and when they were read (`2026-11-15`). */
  readonly sources: readonly string[]
  readonly checked: string
  /** What the module relies on although no source confirms it, in sentences. */
  readonly unconfirmed?: readonly string[]
  /** More for its page, in Markdown: what to set at the provider, what is not supported. */
  readonly notes?: string
  /** The options that are particular to the provider: the address of its API, credentials, defaults. */
  readonly account: Account
  /** Valid options for its page and its tests; secrets as references. */
  readonly example: Readonly<Record<string, unknown>>
  /** Checks that the schema cannot express. It throws an Error that names the option and never its value. */
  readonly check?: (account: AccountOf<Account>) => void
  /** Identifies the login: routes with the same login receive each other's receipts. */
  readonly login: (account: AccountOf<Account>) => readonly string[]
  /** Whether requests carry `Submission.originCid`. */
  readonly carriesOrigin?: boolean

  /** Adds the headers that authenticate a request, such as a signature over it. `token` is that of `tokens`. */
  readonly authorize?: (
    request: ProviderRequest,
    route: ProviderRoute<AccountOf<Account>>,
    token: string,
  ) => Readonly<Record<string, string>>
  /** For providers that issue tokens: how to log in. */
  readonly tokens?: ProviderTokens<AccountOf<Account>>
  /** For providers that want files uploaded before the message that uses them. */
  readonly upload?: ProviderUpload<AccountOf<Account>>

  /**
   * The request that submits a message, or the reason why the provider cannot express it. It must switch off any fallback
   * of the provider's own. `files` are the references that `upload` returned for `message.files`.
   */
  readonly send: (
    message: ProviderMessage,
    route: ProviderRoute<AccountOf<Account>>,
    files: readonly string[],
  ) => ProviderRequest | Refusal
  /** The meaning of the answer to a submission. `answer.ts` has the usual outcomes. */
  readonly readAnswer: (answer: ProviderAnswer, message: ProviderMessage) => ProviderOutcome
  /** The id that the provider knows a submission by, where we choose it; at most as long as the provider allows. */
  readonly ownId?: (reference: string) => string
  /**
   * The provider documents that it recognizes a repeated submission and delivers it once. A submission without an answer
   * is then repeated a few times within half a minute.
   */
  readonly repeatable?: boolean

  /** Requests of the provider to us: receipts and replies. */
  readonly callback?: ProviderCallback<AccountOf<Account>>
  /** Requests for results that the provider keeps. */
  readonly poll?: ProviderPoll<AccountOf<Account>>
  /** Asks for one submission. See `Connector.lookup`. */
  readonly lookup?: ProviderLookup<AccountOf<Account>>
}

export type AccountOf<Account extends TProperties> = Static<TObject<Account>>

/** What the functions of a module know of the route. */
export interface ProviderRoute<Account> {
  readonly account: Account
  /** The public address for callbacks; undefined if the route has none. */
  readonly callbackUrl: string | undefined
  /** Writes a number in the form that the provider asks for. Text sender ids and short numbers stay as they are. */
  readonly number: (number: string, format: NumberFormat) => string
}

export interface ProviderMessage extends Submission {
  /** Whole seconds until the deadline, at least 1. */
  readonly secondsLeft: number
}

export interface ProviderTokens<Account> {
  /** Called for every login. */
  readonly request: (route: ProviderRoute<Account>) => ProviderRequest
  /** `authorization` of the result is what `authorize` gets as its token. */
  readonly read: (answer: ProviderAnswer) => LoginResult
  /** The code of an answer that refuses the token, and null for every other answer. */
  readonly refusal: (answer: ProviderAnswer) => string | null
  /** How long a token lives, unless the answer says less. */
  readonly lifetimeMs: number
}

export interface ProviderUpload<Account> {
  /** The request that uploads a file, or the reason why the provider does not take it. */
  readonly request: (
    file: ConnectorFile,
    route: ProviderRoute<Account>,
    place: string,
  ) => ProviderRequest | Refusal
  /** The reference that messages use, or what the answer means for the message. */
  readonly read: (
    answer: ProviderAnswer,
  ) => { readonly kind: 'uploaded'; readonly reference: string } | ProviderFailure
  /** How long the provider keeps a file. */
  readonly lifetimeMs: number
  /** Files are uploaded once for each place, such as a kind of image. All files share one place by default. */
  readonly place?: (file: FileReference) => string
  /** A key that is no file of this gateway is an address at the provider, and is sent as it is. By default it is refused. */
  readonly takesAddresses?: boolean
}

export interface ProviderCallback<Account> {
  /**
   * Proves that a request comes from the provider. `path`: the last segment of the address is the secret `callbackToken`,
   * which the kit adds to the options and to `ProviderRoute.callbackUrl`. A function compares in constant time.
   */
  readonly verify: 'path' | ((request: InboundRequest, route: ProviderRoute<Account>) => boolean)
  /**
   * Reads a request that was verified: `body` is its JSON or its form. Fields of the query are read only where the query
   * is verified, too. Null for a request that is not in the provider's format: it is answered with 400, so that the
   * provider repeats it.
   */
  readonly read: (
    body: unknown,
    request: InboundRequest,
    route: ProviderRoute<Account>,
  ) => ProviderEvents | null
  /** The content type of callbacks, for the error when another one arrives. Default: JSON. */
  readonly contentType?: 'application/json' | 'application/x-www-form-urlencoded'
  /** The answer to a request that was stored. Default: 200 without a body. */
  readonly answer?: InboundAnswer
}

export interface ProviderEvents {
  readonly receipts?: readonly ProviderReceipt[]
  readonly replies?: readonly ProviderReply[]
}

export interface ProviderReceipt {
  /** The provider's id; empty or undefined if there is none. */
  readonly id?: string
  /** Our reference, where the provider returns it. */
  readonly reference?: string
  readonly result: 'delivered' | 'failed' | 'pending'
  /** Default: `failed`. Ignored unless the result is `failed`. */
  readonly cause?: Cause | undefined
  /** The provider's own code, for the operator. */
  readonly code: string
  readonly recipient?: string
  readonly at?: Date | null
  readonly carrier?: MobileCarrier | undefined
  readonly userType?: 'F' | 'N'
}

export interface ProviderReply {
  /** Numbers in any form. */
  readonly from: string
  readonly to: string
  readonly text: string | null
  readonly choice?: 'opt-out' | 'opt-in'
  readonly id?: string
  readonly at?: Date | null
  /** For providers that do not join the parts of a long text. */
  readonly part?: ReplyPart | undefined
}

export interface ProviderPoll<Account> {
  /** Between two requests when the provider has no more results. */
  readonly everyMs: number
  /** Where polling begins when a process starts. Results that were read before may be read again. */
  readonly start: (now: Date) => string
  readonly request: (cursor: string, route: ProviderRoute<Account>, now: Date) => ProviderRequest
  /** Null for an answer that is not a list of results: it is asked for again later. */
  readonly read: (
    answer: ProviderAnswer,
    cursor: string,
    now: Date,
    route: ProviderRoute<Account>,
  ) => PolledResults | null
}

export interface PolledResults extends ProviderEvents {
  /** Used for the next request. */
  readonly cursor: string
  /** The provider has more: the next request follows at once. */
  readonly hasMore: boolean
  /** Acknowledges the results. Sent after they are stored. */
  readonly acknowledge?: ProviderRequest
}

export interface ProviderLookup<Account> {
  /** `reference`: the provider can be asked by our reference or `ownId`, also after a lost answer. `carrierId`: only by its own id. */
  readonly by: 'reference' | 'carrierId'
  readonly request: (asked: AskedSubmission, route: ProviderRoute<Account>) => ProviderRequest
  /** The receipt (`pending` while there is no result), `not-found`, or null for an answer that says neither. */
  readonly read: (answer: ProviderAnswer, asked: AskedSubmission) => ProviderReceipt | 'not-found' | null
}
