/**
 * An operation that requires neither a key nor a session, such as signing in. The OpenAPI document has it
 * with `security: []`. The authorisation test lists these operations by name, so that none is added by
 * mistake.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TProperties, TSchema } from 'typebox'
import { readAccess, type OperationDescription, type OperationInput } from '../operation.ts'
import type { AdminServices } from '../services.ts'
import type { SignInCaller } from './caller.ts'
import type { SignIn } from './open.ts'

export interface OpenContext {
  readonly services: AdminServices
  readonly signIn: SignIn
  readonly caller: SignInCaller
  readonly headers: IncomingHttpHeaders
  /** The query string as sent, with its `?`; empty without a query. */
  readonly search: string
  readonly setCookie: (cookie: string) => void
}

/** Returned instead of data to redirect the browser. */
export class Redirect {
  readonly location: string

  constructor(location: string) {
    this.location = location
  }
}

type OpenDescribed = Omit<OperationDescription, 'access'>

export interface OpenOperation extends OperationDescription {
  readonly params: TProperties
  readonly query: TProperties
  readonly body: TProperties | null
  /** Null if the browser is redirected; an error is a page then. */
  readonly data: TSchema | null
  /** Whether unknown query parameters are allowed, which a provider may add. */
  readonly looseQuery: boolean
  readonly run: (input: OperationInput, context: OpenContext) => Promise<unknown>
}

// oxlint-disable-next-line typescript/no-empty-object-type -- no parameters at all
type None = {}

export function defineOpen<
  Data extends TSchema,
  Query extends TProperties = None,
  Body extends TProperties = None,
>(
  definition: OpenDescribed & {
    readonly query?: Query
    readonly body?: Body
    readonly data: Data
    readonly run: (input: OperationInput<None, Query, Body>, context: OpenContext) => Promise<Static<Data>>
  },
): OpenOperation {
  const { query = {}, body = null, run } = definition
  return {
    ...definition,
    params: {},
    query,
    body,
    access: readAccess(),
    looseQuery: false,
    run: run as OpenOperation['run'],
  }
}

/** Defines a page that a browser opens. */
export function defineRedirect<Query extends TProperties = None>(
  definition: OpenDescribed & {
    readonly query?: Query
    readonly looseQuery?: boolean
    readonly run: (input: OperationInput<None, Query, None>, context: OpenContext) => Promise<Redirect>
  },
): OpenOperation {
  const { query = {}, looseQuery = false, run } = definition
  return {
    ...definition,
    params: {},
    query,
    body: null,
    data: null,
    access: readAccess(),
    looseQuery,
    run: run as OpenOperation['run'],
  }
}
