/**
 * An operation that needs neither a key nor a session: what signs operators in. It is in the OpenAPI document with `security: []`. The
 * test of authorisation lists these operations by name, so that none is added by mistake.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TProperties, TSchema } from 'typebox'
import { reads, type Described, type Input } from './operation.ts'
import type { AdminServices } from './services.ts'
import type { SignInCaller } from './sign-in/caller.ts'
import type { SignIn } from './sign-in/open.ts'

export interface OpenContext {
  readonly services: AdminServices
  readonly signIn: SignIn
  readonly caller: SignInCaller
  readonly headers: IncomingHttpHeaders
  /** The query as it was sent, with its `?`; empty without one. */
  readonly search: string
  readonly setCookie: (cookie: string) => void
}

/** Instead of data: sends the browser there. */
export class Redirect {
  readonly location: string

  constructor(location: string) {
    this.location = location
  }
}

type OpenDescribed = Omit<Described, 'access'>

export interface OpenOperation extends Described {
  readonly params: TProperties
  readonly query: TProperties
  readonly body: TProperties | null
  /** Null: the browser is sent somewhere else, and an error is a page. */
  readonly data: TSchema | null
  /** Whether others may add parameters to the query: a provider does. */
  readonly looseQuery: boolean
  readonly run: (input: Input, context: OpenContext) => Promise<unknown>
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
    readonly run: (input: Input<None, Query, Body>, context: OpenContext) => Promise<Static<Data>>
  },
): OpenOperation {
  const { query = {}, body = null, run } = definition
  return {
    ...{ ...definition, params: {}, query, body, access: reads(), looseQuery: false },
    run: run as OpenOperation['run'],
  }
}

/** A page that a browser opens. */
export function defineRedirect<Query extends TProperties = None>(
  definition: OpenDescribed & {
    readonly query?: Query
    readonly looseQuery?: boolean
    readonly run: (input: Input<None, Query, None>, context: OpenContext) => Promise<Redirect>
  },
): OpenOperation {
  const { query = {}, looseQuery = false, run } = definition
  return {
    ...{ ...definition, params: {}, query, body: null, data: null, access: reads(), looseQuery },
    run: run as OpenOperation['run'],
  }
}
