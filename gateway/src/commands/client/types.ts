/** What the operations of the admin API take and answer, by their ids, as their definitions say. Types only: commands load no definition. */
import type { OperationId } from '../../admin/operation-index.ts'
import type { adminOperations } from '../../admin/operations.ts'

type Defined = (typeof adminOperations)[number]
type Types = { readonly [One in Defined as One['id']]: NonNullable<One['types']> }

export type { OperationId }

/** A field that may be left out may also be given as undefined. */
type Given<T> = T extends readonly (infer One)[]
  ? readonly Given<One>[]
  : T extends object
    ? { readonly [Key in keyof T]: object extends Pick<T, Key> ? Given<T[Key]> | undefined : Given<T[Key]> }
    : T

/** Times are texts in an answer. */
type Answered<T> = T extends Date
  ? string
  : T extends readonly (infer One)[]
    ? readonly Answered<One>[]
    : T extends object
      ? { readonly [Key in keyof T]: Answered<T[Key]> }
      : T

interface Reason {
  readonly reason?: string | undefined
}

/** A part whose fields may all be left out may be left out itself. */
type Part<Name extends string, Fields> = object extends Fields
  ? { readonly [One in Name]?: Fields }
  : { readonly [One in Name]: Fields }

/** Fields of a query have defaults, which the schema fills in. */
export type Input<Id extends OperationId> = Part<'params', Given<Types[Id]['params']>> &
  Part<'query', Given<Partial<Types[Id]['query']>> & Reason> &
  Part<'body', Given<Types[Id]['body']> & Reason>

export type Data<Id extends OperationId> = Answered<Types[Id]['data']>
