/**
 * The interface of a provider: a carrier or aggregator with its own HTTP API. A module under `providers/` defines what is
 * specific to one API: its options, its requests, and the meaning of its responses and callbacks. The kit does the rest and
 * keeps the guarantees: `connector.ts` decides what was certainly not accepted, `callbacks.ts` responds to a callback only
 * after its receipts are stored, and every external value is limited. See docs/contributing/add-a-provider.md.
 *
 * The functions of a module have no side effects. An error of a function fails only the message, callback, login or query that
 * it was called for; an error of `authorize` also pauses the link.
 */
import type { Static, TObject, TProperties } from 'typebox'
import type { Cause } from '../../../../channels/cause.ts'
import type { ChannelName, FileReference } from '../../../../channels/channel.ts'
import type { MobileCarrier } from '../../../../channels/mobile-carriers.ts'
import type { LoginResult } from '../../http/access-token.ts'
import type { RecordedSubmission, ConnectorFile, Submission } from '../../connector.ts'
import type { InboundResponse, InboundRequest } from '../../options/kind.ts'
import type { NumberFormat } from '../../phone-number.ts'
import type { ReplyPart } from '../../reply.ts'
import type { ProviderResponse, ProviderFailure, ProviderOutcome, ProviderRefusal } from './response.ts'
import type { ProviderRequest } from './request.ts'

export interface Provider<Account extends TProperties = TProperties> {
  /** The `--protocol` of its routes: lower-case letters, digits and hyphens. */
  readonly name: string
  /** One sentence for the command help and the documentation page. */
  readonly summary: string
  readonly channels: readonly ChannelName[]
  /** URLs of the public documentation that the module is based on. */
  readonly sources: readonly string[]
  /** Date on which the sources were read (`2026-11-15`). */
  readonly checked: string
  /** Assumptions that no source confirms, as sentences. */
  readonly unconfirmed?: readonly string[]
  /** Additional Markdown for the documentation page: settings at the provider, unsupported features. */
  readonly notes?: string
  /** Options specific to the provider: base URL of its API, credentials, defaults. */
  readonly account: Account
  /** Valid options for the documentation and tests, with secrets as references. */
  readonly example: Readonly<Record<string, unknown>>
  /** Checks what the schema cannot express. Throws an Error that names the option and never its value. */
  readonly check?: (account: AccountOptions<Account>) => void
  /** Identifies the login: routes with the same login receive each other's receipts. */
  readonly login: (account: AccountOptions<Account>) => readonly string[]
  /** Whether requests submit `Submission.originCid`. */
  readonly supportsOriginCode?: boolean

  /** Returns headers that authenticate a request, such as a signature. `token` is the token of `tokens`. */
  readonly authorize?: (
    request: ProviderRequest,
    route: ProviderRoute<AccountOptions<Account>>,
    token: string,
  ) => Readonly<Record<string, string>>
  /** How to log in, for providers that issue tokens. */
  readonly tokens?: ProviderTokens<AccountOptions<Account>>
  /** How to upload files, for providers that require uploads before the message. */
  readonly upload?: ProviderUpload<AccountOptions<Account>>

  /**
   * Returns the request that submits a message, or a refusal if the provider cannot express it. Must disable any fallback of
   * the provider. `files` are the references that `upload` returned for `message.files`.
   */
  readonly send: (
    message: ProviderMessage,
    route: ProviderRoute<AccountOptions<Account>>,
    files: readonly string[],
  ) => ProviderRequest | ProviderRefusal
  /** Returns the outcome of a submission from its response. `response.ts` has the common outcomes. */
  readonly parseResponse: (answer: ProviderResponse, message: ProviderMessage) => ProviderOutcome
  /** Returns the provider's id of a submission, if we choose it; at most as long as the provider allows. */
  readonly ownId?: (reference: string) => string
  /**
   * Whether the provider documents that it detects a repeated submission and delivers it once. A submission without a
   * response is then repeated up to three times.
   */
  readonly repeatable?: boolean

  /** Callbacks of the provider: receipts and replies. */
  readonly callback?: ProviderCallback<AccountOptions<Account>>
  /** How to poll results that the provider keeps. */
  readonly poll?: ProviderPoll<AccountOptions<Account>>
  /** How to query one submission. See `Connector.lookup`. */
  readonly lookup?: ProviderLookup<AccountOptions<Account>>
}

export type AccountOptions<Account extends TProperties> = Static<TObject<Account>>

/** The route as the functions of a module see it. */
export interface ProviderRoute<Account> {
  readonly account: Account
  /** Public URL for callbacks; undefined if the route has none. */
  readonly callbackUrl: string | undefined
  /** Formats a number for the provider. Leaves text sender ids and short numbers unchanged. */
  readonly number: (number: string, format: NumberFormat) => string
}

export interface ProviderMessage extends Submission {
  /** Whole seconds until the deadline, at least 1. */
  readonly secondsLeft: number
}

export interface ProviderTokens<Account> {
  /** Called for every login. */
  readonly request: (route: ProviderRoute<Account>) => ProviderRequest
  /** Returns the token; its `authorization` is passed to `authorize` as `token`. */
  readonly read: (answer: ProviderResponse) => LoginResult
  /** Returns the code of a response that refuses the token, and null for every other response. */
  readonly refusal: (answer: ProviderResponse) => string | null
  /** Lifetime of a token, unless the response states a shorter one. */
  readonly lifetimeMs: number
}

export interface ProviderUpload<Account> {
  /** Returns the request that uploads a file, or a refusal if the provider does not accept the file. */
  readonly request: (
    file: ConnectorFile,
    route: ProviderRoute<Account>,
    scope: string,
  ) => ProviderRequest | ProviderRefusal
  /** Returns the reference that messages use, or the failure. */
  readonly read: (
    answer: ProviderResponse,
  ) => { readonly kind: 'uploaded'; readonly reference: string } | ProviderFailure
  /** Time for which a reference is reused, at most as long as the provider keeps the file. */
  readonly lifetimeMs: number
  /** Returns the scope of an upload, such as a kind of image; each file is uploaded once per scope. Default: one scope. */
  readonly place?: (file: FileReference) => string
  /** Whether a key that is not a file of this gateway is sent unchanged, as a URL at the provider. Refused by default. */
  readonly acceptsUrls?: boolean
}

export interface ProviderCallback<Account> {
  /**
   * Verifies that a request comes from the provider. `path`: the last segment of the URL is the secret `callbackToken`, which
   * the kit adds to the options and to `ProviderRoute.callbackUrl`. A function must compare in constant time.
   */
  readonly verify: 'path' | ((request: InboundRequest, route: ProviderRoute<Account>) => boolean)
  /**
   * Reads a verified request; `body` is its parsed JSON or form. Use fields of the query only if `verify` covers the query,
   * as `path` does. Returns null for a request that is not in the provider's format: it gets a 400 or 415, so that the
   * provider repeats it.
   */
  readonly read: (
    body: unknown,
    request: InboundRequest,
    route: ProviderRoute<Account>,
  ) => ProviderEvents | null
  /** Expected content type of callbacks, for the error about another one. Default: JSON. */
  readonly contentType?: 'application/json' | 'application/x-www-form-urlencoded'
  /** Response to a request that was stored. Default: 200 without a body. */
  readonly response?: InboundResponse
}

export interface ProviderEvents {
  readonly receipts?: readonly ProviderReceipt[]
  readonly replies?: readonly ProviderReply[]
}

export interface ProviderReceipt {
  /** The provider's id; empty or undefined if it has none. */
  readonly id?: string
  /** Our reference, if the provider returns it. */
  readonly reference?: string
  readonly result: 'delivered' | 'failed' | 'pending'
  /** Default: `failed`. Ignored unless the result is `failed`. */
  readonly cause?: Cause | undefined
  /** The provider's code for operators. */
  readonly code: string
  readonly recipient?: string
  readonly at?: Date | null
  readonly carrier?: MobileCarrier | undefined
  readonly userType?: 'F' | 'N'
}

export interface ProviderReply {
  /** Sender in any number format. */
  readonly from: string
  readonly to: string
  readonly text: string | null
  readonly choice?: 'opt-out' | 'opt-in'
  readonly id?: string
  readonly at?: Date | null
  /** Set for providers that do not join the parts of a long text. */
  readonly part?: ReplyPart | undefined
}

export interface ProviderPoll<Account> {
  /** Pause between requests while the provider has no more results. */
  readonly everyMs: number
  /** Returns the first cursor after the start of a process. Results that were already read can be read again. */
  readonly start: (now: Date) => string
  readonly request: (cursor: string, route: ProviderRoute<Account>, now: Date) => ProviderRequest
  /** Returns null for a response that is not a list of results; it is requested again later. */
  readonly read: (
    answer: ProviderResponse,
    cursor: string,
    now: Date,
    route: ProviderRoute<Account>,
  ) => ResultPage | null
}

export interface ResultPage extends ProviderEvents {
  /** Used for the next request. */
  readonly cursor: string
  /** Whether the provider has more results; the next request then follows immediately. */
  readonly hasMore: boolean
  /** Acknowledges the results; sent after they are stored. */
  readonly acknowledge?: ProviderRequest
}

export interface ProviderLookup<Account> {
  /** `reference`: queries by our reference or `ownId`, also after a lost response. `carrierId`: only by the provider's id. */
  readonly by: 'reference' | 'carrierId'
  readonly request: (submission: RecordedSubmission, route: ProviderRoute<Account>) => ProviderRequest
  /** Returns the receipt (`pending` without a result yet), `not-found`, or null for an inconclusive response. */
  readonly read: (
    answer: ProviderResponse,
    submission: RecordedSubmission,
  ) => ProviderReceipt | 'not-found' | null
}
