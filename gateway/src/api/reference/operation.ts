/**
 * How an operation of the public API is described. The document, the page and the tests of the examples are all made
 * from these descriptions; the schemas in them are the ones that the server checks and answers by.
 */
import type { TSchema } from 'typebox'
import type { ResultCode } from '../../contract/result-codes.ts'

/** The road of a client. */
export type TagName = 'Token' | 'Send' | 'Files' | 'Forms' | 'Reports' | 'Webhooks'

export interface Operation {
  /** Unique; a name for generated clients. */
  readonly id: string
  readonly method: 'get' | 'post' | 'put' | 'delete'
  readonly path: string
  readonly tag: TagName
  readonly summary: string
  readonly description: string
  /** Asks for no token. */
  readonly open?: true
  readonly parameters?: readonly Parameter[]
  readonly body?: RequestBody
  readonly answer: Answer
  /** Result codes of its own, besides those that every operation of its kind has. */
  readonly codes: readonly ResultCode[]
  /** Which operation takes what from this one's answer. */
  readonly links?: Readonly<Record<string, Link>>
  readonly examples: readonly Example[]
  /** What it is, where the published contract does not have it. */
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
      /** The same in other forms, by the content type that `Accept` asks for. */
      readonly also?: Readonly<Record<string, string>>
    }
  | { readonly description: string; readonly images: readonly string[] }

/** As OpenAPI has it: parameters and body are expressions that read this operation's answer. */
export interface Link {
  readonly operationId: string
  readonly description: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly requestBody?: object
}

/**
 * A request and its answer, as both are shown. What a server makes up (keys, times) is shown as an invented value; where
 * a later request of the examples needs such a value, it shows the same one.
 */
export interface Example {
  readonly name: string
  readonly summary: string
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  /** An image of these measures, uploaded under this name. */
  readonly file?: { readonly name: string; readonly width: number; readonly height: number }
  readonly status: number
  readonly answer: object
}
