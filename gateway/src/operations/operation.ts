/**
 * Defines an operation of the admin API: path, required right, schemas and work. The server routes, the
 * OpenAPI document and the authorisation test are derived from these definitions, so none can omit an
 * operation.
 */
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { AuditRecorder } from './audit-recorder.ts'
import { OperationError } from './errors.ts'
import type { OperatorRole, Right } from '../identity/operators/rights.ts'
import type { OwnAccount, Signature } from '../identity/operators/queries.ts'
import type { SignedInSession } from '../identity/operators/session.ts'
import type { Database } from '../platform/database/database.ts'
import { environmentName } from '../platform/settings/setting-name.ts'
import type { AdminServices } from './services.ts'

export type AdminTagName =
  | 'Now'
  | 'Messages'
  | 'Batches'
  | 'Routes'
  | 'Accounts'
  | 'Senders'
  | 'Webhooks'
  | 'Parked'
  | 'Rules'
  | 'Usage'
  | 'Audit'
  | 'Sandbox'
  | 'Sign-in'
  | 'Operators'

export interface OperationAccess {
  readonly right: Right
  /**
   * `read` changes nothing and shows no personal data. `look` can show personal data, which is recorded.
   * `change` is recorded.
   */
  readonly kind: 'read' | 'look' | 'change'
  readonly reason: 'required' | 'optional'
}

export const readAccess = (right: Right = 'read'): OperationAccess => ({
  right,
  kind: 'read',
  reason: 'optional',
})
export const personalDataAccess = (
  right: Right = 'read',
  reason: OperationAccess['reason'] = 'optional',
): OperationAccess => ({ right, kind: 'look', reason })
export const writeAccess = (
  right: Right,
  reason: OperationAccess['reason'] = 'optional',
): OperationAccess => ({ right, kind: 'change', reason })

/**
 * Whether a client can call an operation; without a scope it is refused to clients. `own`: for the account of
 * the client, which client-scope.ts checks by the parameters. `self`: it concerns the operator itself.
 * `public`: its response is the same for every caller and has nothing of accounts.
 */
export type ClientScope = 'own' | 'self' | 'public'

/** The operator of a request, signed in by key or browser session. */
export interface SignedOperator {
  readonly name: string
  readonly role: OperatorRole
  /** The only account that a client can reach; null for operators of the installation. */
  readonly account: OwnAccount | null
  /** Null in a session, and for a command without an operator key. */
  readonly signature: Signature | null
  readonly session: SignedInSession | null
}

export interface CookieNames {
  /** Whether the cookies are sent over HTTPS only. */
  readonly secure: boolean
  readonly session: string
  readonly provider: string
}

export interface RequestContext {
  readonly services: AdminServices
  /** Read-only, with a short time limit, unless the operation changes something. */
  readonly database: Database
  readonly audit: AuditRecorder
  readonly signed: SignedOperator
  readonly cookies: CookieNames
  readonly setCookie: (cookie: string) => void
  /** The version of the object to replace, as the caller has read it, from `If-Match`. */
  readonly ifMatch: string | undefined
}

/**
 * The command derived from an operation: its name is the operation's `action`, its options are the fields of
 * the request.
 */
export interface OperationCommand {
  /** Text after the command name, one element per example. */
  readonly examples: readonly string[]
  /** Fields that are arguments instead of options, in this order. Defaults to the path parameters. */
  readonly arguments?: readonly string[]
  /** Additional text of the help page, after the description of the operation. */
  readonly details?: string
  /** Fields shown in the text output of each list item. Defaults to all fields. */
  readonly columns?: readonly string[]
  /** Default of `--limit`, for lists that can be very long. */
  readonly limit?: number
  /** A sentence after the output, such as that a password is not shown again. */
  readonly note?: string
}

type YesNoSetting = 'sandboxPhones'

export interface OperationDescription {
  /** Unique; also the name in generated clients. */
  readonly id: string
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** A path such as `/admin/v1/accounts/{clientId}`. */
  readonly path: string
  readonly tag: AdminTagName
  readonly summary: string
  readonly description?: string
  readonly access: OperationAccess
  /** Clients are refused without it. */
  readonly client?: ClientScope
  /** Whether a client can make this change while its account is blocked. */
  readonly clientWhileBlocked?: boolean
  /**
   * Set if it only ends sessions: it is neither refused to a client whose account is blocked, nor counted as
   * a change.
   */
  readonly signsOut?: boolean
  /**
   * Set if it reads messages of all accounts to find those of one: clients can call it a limited number of
   * times per minute (client-bounds.ts).
   */
  readonly searches?: boolean
  /** Whether it is allowed with an initial key, which its operator must replace before anything else. */
  readonly withFirstKey?: boolean
  /** Name of the command, such as `account key add`, and of the action in the audit log. */
  readonly action: string
  /** Overrides the default limit of the body size. */
  readonly maxBodyBytes?: number
  /** Whether it publishes jobs. A command that runs in its own process connects to RabbitMQ first. */
  readonly publishesJobs?: boolean
  /** Whether it reads `If-Match`: the replaced object must not have changed since it was read. */
  readonly replaces?: boolean
  /** Omitted if no command is derived: there is none, or it does more than call the operation (`cli/`). */
  readonly command?: OperationCommand
  /** A setting that must be `yes`; otherwise the operation is refused. */
  readonly enabledBy?: YesNoSetting
}

export interface OperationInput<
  Params extends TProperties = TProperties,
  Query extends TProperties = TProperties,
  Body extends TProperties = TProperties,
> {
  readonly params: Static<TObject<Params>>
  readonly query: Static<TObject<Query>>
  readonly body: Static<TObject<Body>>
}

interface Definition<
  Params extends TProperties,
  Query extends TProperties,
  Body extends TProperties,
  Data extends TSchema,
> extends OperationDescription {
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** Schema of `data` in the response. */
  readonly data: Data
  /**
   * Whether the request waits for a webhook receiver: such client requests have separate slots
   * (client-bounds.ts).
   */
  readonly pushes?: (input: OperationInput<Params, Query, Body>) => boolean
  readonly run: (
    input: OperationInput<Params, Query, Body>,
    context: RequestContext,
  ) => Promise<DeepReadonly<Static<Data>>>
}

/** Makes a type deeply readonly: operations return lists and records that they do not own. */
type DeepReadonly<T> = T extends Date
  ? T
  : T extends readonly (infer One)[]
    ? readonly DeepReadonly<One>[]
    : T extends object
      ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
      : T

export interface StreamSource {
  readonly event: string
  readonly read: (services: AdminServices) => Promise<unknown>
}

/** Input and output types of an operation, for the compiler only. */
export interface OperationTypes {
  readonly params: object
  readonly query: object
  readonly body: object
  readonly data: unknown
}

export interface AdminOperation<
  Id extends string = string,
  Types extends OperationTypes = OperationTypes,
> extends OperationDescription {
  readonly id: Id
  /** Never set; it carries the types for callers that use the ID of the operation. */
  readonly types?: Types
  readonly params: TProperties
  readonly query: TProperties
  readonly body: TProperties | null
  readonly data: TSchema
  /** If set, the response is a stream of events with `data`, which `run` returns about every second. */
  readonly stream?: StreamSource
  readonly pushes?: ((input: OperationInput) => boolean) | undefined
  readonly run: (input: OperationInput, context: RequestContext) => Promise<unknown>
}

// oxlint-disable-next-line typescript/no-empty-object-type -- no parameters at all
type None = {}

export function defineOperation<
  const Id extends string,
  Data extends TSchema,
  Params extends TProperties = None,
  Query extends TProperties = None,
  Body extends TProperties = None,
>(
  definition: Definition<Params, Query, Body, Data> & { readonly id: Id },
): AdminOperation<
  Id,
  {
    readonly params: Static<TObject<Params>>
    readonly query: Static<TObject<Query>>
    readonly body: Static<TObject<Body>>
    readonly data: Static<Data>
  }
> {
  const { params = {}, query = {}, body = null, run, pushes, enabledBy } = definition
  return {
    ...definition,
    params,
    query,
    body,
    run: (enabledBy === undefined ? run : runIfEnabled(enabledBy, run)) as AdminOperation['run'],
    pushes: pushes as AdminOperation['pushes'],
  }
}

function runIfEnabled<Given, Data>(
  setting: YesNoSetting,
  run: (input: Given, context: RequestContext) => Promise<Data>,
): typeof run {
  return async (input, context) => {
    if (context.services.config[setting] === 'yes') return run(input, context)
    const name = environmentName(setting)
    throw new OperationError(
      'refused',
      `this operation is disabled; if the installation is for tests or evaluation, set ${name}=yes for its admin process and restart it`,
    )
  }
}

/**
 * Defines an operation that responds with a stream of server-sent events. It is the same for every operator,
 * and so not available to clients.
 */
export function defineStream<const Id extends string, Data extends TSchema>(
  definition: Omit<OperationDescription, 'method' | 'client'> & {
    readonly id: Id
    readonly data: Data
    readonly event: string
    readonly read: (services: AdminServices) => Promise<Static<Data>>
  },
): AdminOperation<Id> {
  const { event, read, ...described } = definition
  return {
    ...described,
    method: 'get',
    params: {},
    query: {},
    body: null,
    stream: { event, read },
    run: (_input, { services }) => read(services),
  }
}
