import type { TSchema } from 'typebox'
import type { ResultCode } from '../../../contract/result-codes.ts'

/** Tags in the order in which a client uses them. */
export type ApiTagName =
  | 'Token'
  | 'Send'
  | 'Batches'
  | 'Files'
  | 'Forms'
  | 'Reports'
  | 'Replies'
  | 'Suppression'
  | 'Webhooks'

/**
 * Description of an operation of the public API. The OpenAPI document, the reference page and the tests of the examples
 * are generated from it; the server validates requests and writes responses with its schemas.
 */
export interface Operation {
  /** Unique id, used as a name by generated clients. */
  readonly id: string
  readonly method: 'get' | 'post' | 'put' | 'delete'
  readonly path: string
  readonly tag: ApiTagName
  readonly summary: string
  readonly description: string
  /** Set if the operation needs no token. */
  readonly open?: true
  readonly parameters?: readonly OperationParameter[]
  readonly body?: RequestBody
  readonly response: ResponseSpec
  /** Result codes in addition to those that every operation of its kind has. */
  readonly codes: readonly ResultCode[]
  /** Operations that use values of this one's response. */
  readonly links?: Readonly<Record<string, OperationLink>>
  readonly examples: readonly Example[]
  /** Purpose of the operation, if the published contract does not contain it. */
  readonly beyondContract?: string
}

export interface OperationParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: object
  readonly example?: unknown
  readonly beyondContract?: string
}

export interface RequestBody {
  readonly contentType: 'application/json' | 'multipart/form-data' | 'application/x-ndjson'
  /** Descriptions of other formats, by content type. */
  readonly also?: Readonly<Record<string, string>>
  readonly schema: TSchema | object
  readonly description: string
}

export type ResponseSpec =
  | {
      readonly description: string
      readonly schema: TSchema | object
      /** Descriptions of other formats, by the content type in `Accept`. */
      readonly also?: Readonly<Record<string, string>>
    }
  | { readonly description: string; readonly files: readonly string[] }

/** An OpenAPI link: parameters and body are expressions on this operation's response. */
export interface OperationLink {
  readonly operationId: string
  readonly description: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly requestBody?: object
}

/**
 * A request and its response. Generated values (keys, times) are invented; a later example that uses such a
 * value has the same one.
 */
export interface Example {
  readonly name: string
  readonly summary: string
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** JSON, or CSV if it is a string. */
  readonly body?: object | string
  /** An image of these dimensions, uploaded under this name. */
  readonly file?: { readonly name: string; readonly width: number; readonly height: number }
  readonly status: number
  readonly response: object
}

export function exampleType(body: object | string): string {
  return typeof body === 'string' ? 'text/csv' : 'application/json'
}
