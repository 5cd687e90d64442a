/**
 * The description of an operation of the public API. The OpenAPI document, the reference page and the tests of the
 * examples are generated from it; its schemas are those by which the server checks requests and writes responses.
 */
import type { TSchema } from 'typebox'
import type { ResultCode } from '../../contract/result-codes.ts'

/** In the order in which a client uses them. */
export type TagName =
  'Token' | 'Send' | 'Files' | 'Forms' | 'Reports' | 'Replies' | 'Suppression' | 'Webhooks'

export interface Operation {
  /** Unique; a name for generated clients. */
  readonly id: string
  readonly method: 'get' | 'post' | 'put' | 'delete'
  readonly path: string
  readonly tag: TagName
  readonly summary: string
  readonly description: string
  /** Needs no token. */
  readonly open?: true
  readonly parameters?: readonly Parameter[]
  readonly body?: RequestBody
  readonly answer: Answer
  /** Result codes in addition to those that every operation of its kind has. */
  readonly codes: readonly ResultCode[]
  /** Operations that use values of this one's response. */
  readonly links?: Readonly<Record<string, Link>>
  readonly examples: readonly Example[]
  /** Set when the published contract does not have the operation: what it is for. */
  readonly beyondContract?: string
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: object
  readonly example?: unknown
  readonly beyondContract?: string
}

export interface RequestBody {
  readonly contentType: 'application/json' | 'multipart/form-data'
  readonly schema: TSchema | object
  readonly description: string
}

export type Answer =
  | {
      readonly description: string
      readonly schema: TSchema | object
      /** Other formats, by the content type in `Accept`. */
      readonly also?: Readonly<Record<string, string>>
    }
  | { readonly description: string; readonly images: readonly string[] }

/** As in OpenAPI: parameters and body are expressions on this operation's response. */
export interface Link {
  readonly operationId: string
  readonly description: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly requestBody?: object
}

/**
 * A request and its response. Values that a server generates (keys, times) are invented; where a later example uses such
 * a value, it is the same one.
 */
export interface Example {
  readonly name: string
  readonly summary: string
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  /** An image of these dimensions, uploaded under this name. */
  readonly file?: { readonly name: string; readonly width: number; readonly height: number }
  readonly status: number
  readonly answer: object
}
