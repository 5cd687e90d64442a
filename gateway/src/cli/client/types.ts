/**
 * Request and response types of the admin API operations, by operation id, derived from their definitions.
 * This file has only types, so that commands load no definition.
 */
import type { OperationId } from '../../operations/operation-index.ts'
import type { adminOperations } from '../../operations/operations.ts'

type Defined = (typeof adminOperations)[number]
type Types = { readonly [One in Defined as One['id']]: NonNullable<One['types']> }

export type { OperationId }

/** An optional field can also be undefined. */
type Input<T> = T extends readonly (infer One)[]
  ? readonly Input<One>[]
  : T extends object
    ? { readonly [Key in keyof T]: object extends Pick<T, Key> ? Input<T[Key]> | undefined : Input<T[Key]> }
    : T

/** Times are strings in a response. */
type Output<T> = T extends Date
  ? string
  : T extends readonly (infer One)[]
    ? readonly Output<One>[]
    : T extends object
      ? { readonly [Key in keyof T]: Output<T[Key]> }
      : T

interface Reason {
  readonly reason?: string | undefined
}

/** A part can be omitted if all of its fields are optional. */
type Part<Name extends string, Fields> = object extends Fields
  ? { readonly [One in Name]?: Fields }
  : { readonly [One in Name]: Fields }

/** Fields of a query have defaults, which the schema fills in. */
export type RequestInput<Id extends OperationId> = Part<'params', Input<Types[Id]['params']>> &
  Part<'query', Input<Partial<Types[Id]['query']>> & Reason> &
  Part<'body', Input<Types[Id]['body']> & Reason>

export type ResponseData<Id extends OperationId> = Output<Types[Id]['data']>
