/**
 * An operation of the admin API: its place, the right that it needs, its schemas and its work. The routes of the server, the OpenAPI
 * document and the test of authorisation are all made from these definitions, so none can lack an operation.
 */
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { ActAudit } from '../acts/act-audit.ts'
import { OperationError } from '../acts/errors.ts'
import type { OperatorRole, Right } from '../operators/rights.ts'
import type { OwnAccount, Signature } from '../operators/queries.ts'
import type { FoundSession } from '../operators/session.ts'
import type { Database } from '../platform/database.ts'
import { environmentName } from '../platform/setting-name.ts'
import type { AdminServices } from './services.ts'
import type { CookieNames } from './sign-in/cookies.ts'

export type TagName =
  | 'Now'
  | 'Messages'
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
  /** `read` changes nothing and shows no personal data. `look` may show personal data, which is recorded. `change` is recorded. */
  readonly kind: 'read' | 'look' | 'change'
  readonly reason: 'required' | 'optional'
}

export const reads = (right: Right = 'read'): OperationAccess => ({ right, kind: 'read', reason: 'optional' })
export const looks = (
  right: Right = 'read',
  reason: OperationAccess['reason'] = 'optional',
): OperationAccess => ({ right, kind: 'look', reason })
export const changes = (right: Right, reason: OperationAccess['reason'] = 'optional'): OperationAccess => ({
  right,
  kind: 'change',
  reason,
})

/**
 * Whether an operator of a client may do an operation; one without it is refused to clients. `own`: with what belongs to the account of
 * the client, which client-scope.ts checks by the parameters. `self`: it concerns the operator itself. `public`: it says the same to
 * everybody, and nothing of accounts.
 */
export type ClientScope = 'own' | 'self' | 'public'

/** Who sends a request: with a key, or with the session of a browser. */
export interface SignedOperator {
  readonly name: string
  readonly role: OperatorRole
  /** Of an operator of a client, who reaches nothing else; null for operators of the installation. */
  readonly account: OwnAccount | null
  /** Null in a session. */
  readonly signature: Signature | null
  readonly session: FoundSession | null
}

export interface RequestContext {
  readonly services: AdminServices
  /** Only reads, with a short limit of time, unless the operation changes something. */
  readonly database: Database
  readonly audit: ActAudit
  readonly signed: SignedOperator
  readonly cookies: CookieNames
  readonly setCookie: (cookie: string) => void
  /** The version that the caller has read of what it replaces, from `If-Match`. */
  readonly ifMatch: string | undefined
}

/** The command that is derived from an operation: its name is the operation's `action`, its options are the fields of the request. */
export interface OperationCommand {
  /** What follows the name of the command, one element per example. */
  readonly examples: readonly string[]
  /** Fields that are arguments instead of options, in this order. Without it they are the parameters of the path. */
  readonly arguments?: readonly string[]
  /** What the help page says besides the description of the operation. */
  readonly details?: string
  /** Fields that the text shows, of each item of a list. Without it the text shows all fields. */
  readonly columns?: readonly string[]
  /** The default of `--limit`, for a list that may be very long. */
  readonly limit?: number
  /** A sentence that follows the text, such as that a password is not shown again. */
  readonly note?: string
}

type YesNoSetting = 'sandboxPhones'

export interface Described {
  /** Unique; a name for generated clients. */
  readonly id: string
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Such as `/admin/v1/accounts/{clientId}`. */
  readonly path: string
  readonly tag: TagName
  readonly summary: string
  readonly description?: string
  readonly access: OperationAccess
  /** Absent: refused to clients. */
  readonly client?: ClientScope
  /** A change that a client makes while its account is blocked, too. */
  readonly clientWhileBlocked?: boolean
  /** It ends sessions and makes nothing: it is neither refused to a client whose account is blocked, nor counted with its changes. */
  readonly signsOut?: boolean
  /** It reads messages of all accounts to find those of one: a client does it so many times a minute (client-bounds.ts). */
  readonly searches?: boolean
  /** It is done with a first key, too, which its operator replaces before anything else. */
  readonly withFirstKey?: boolean
  /** The action in the audit log: that of the command that does the same, where there is one. */
  readonly action: string
  /** Of its body, where it is larger than others. */
  readonly maxBodyBytes?: number
  /** It publishes jobs. A command that runs in its own process connects to RabbitMQ first. */
  readonly publishesJobs?: boolean
  /** It reads `If-Match`: what is replaced must not have changed since it was read. */
  readonly replaces?: boolean
  /** Absent where no command is derived: there is none, or one that does more than call the operation (`commands/`). */
  readonly command?: OperationCommand
  /** The operation is refused unless this setting is `yes`. */
  readonly enabledBy?: YesNoSetting
}

export interface Input<
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
> extends Described {
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** Of `data` in the answer. */
  readonly data: Data
  /** Whether the request waits for the receiver of a webhook: such requests of clients have places of their own (client-bounds.ts). */
  readonly pushes?: (input: Input<Params, Query, Body>) => boolean
  readonly run: (
    input: Input<Params, Query, Body>,
    context: RequestContext,
  ) => Promise<Unchanging<Static<Data>>>
}

/** Operations return lists and records that they do not own. */
type Unchanging<T> = T extends Date
  ? T
  : T extends readonly (infer One)[]
    ? readonly Unchanging<One>[]
    : T extends object
      ? { readonly [Key in keyof T]: Unchanging<T[Key]> }
      : T

export interface StreamSource {
  /** Name of the event. */
  readonly event: string
  readonly read: (services: AdminServices) => Promise<unknown>
}

/** What an operation takes and answers. It exists for the compiler alone. */
export interface OperationTypes {
  readonly params: object
  readonly query: object
  readonly body: object
  readonly data: unknown
}

export interface AdminOperation<
  Id extends string = string,
  Types extends OperationTypes = OperationTypes,
> extends Described {
  readonly id: Id
  /** Never set: it carries the types to those who call the operation by its id. */
  readonly types?: Types
  readonly params: TProperties
  readonly query: TProperties
  readonly body: TProperties | null
  readonly data: TSchema
  /** The answer is a stream of events with `data`; what `run` would return is sent about every second. */
  readonly stream?: StreamSource
  readonly pushes?: ((input: Input) => boolean) | undefined
  readonly run: (input: Input, context: RequestContext) => Promise<unknown>
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
      `this operation is off: if the installation is for tests or evaluation, set ${name}=yes for its admin process and restart it`,
    )
  }
}

/** An operation whose answer is a stream of server-sent events, the same for everybody, and so for no client. */
export function defineStream<const Id extends string, Data extends TSchema>(
  definition: Omit<Described, 'method' | 'client'> & {
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
