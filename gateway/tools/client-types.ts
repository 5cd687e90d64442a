/**
 * The generated sources of the TypeScript client, from the client document: a type for every schema, the operations with
 * the types of what they take and answer, and the table of result codes.
 */
import { createClientDocument } from '../src/api/reference/client-document.ts'
import { isObject, type Json, type JsonObject } from '../src/api/reference/client-schema.ts'
import { refName } from '../src/api/reference/ref.ts'

const header = (what: string) =>
  `/** ${what}\n * Generated from the definitions in gateway/src/api/reference; change those and run \`npm run generate\`. */\n`

export function clientSources(): ReadonlyMap<string, string> {
  const document = createClientDocument()
  return new Map([
    ['client/src/generated/types.ts', typesFile(document)],
    ['client/src/generated/operations.ts', operationsFile(document)],
    ['client/src/generated/result-codes.ts', codesFile(document)],
  ])
}

function typesFile({ components }: JsonObject): string {
  const { schemas } = components as Readonly<Record<string, Readonly<Record<string, JsonObject>>>>
  const types = Object.entries(schemas!).map(
    ([name, schema]) => `${comment(schema)}export type ${name} = ${typeOf(schema)}\n`,
  )
  return [header('What is sent and answered.'), ...types].join('\n')
}

function typeOf(schema: JsonObject): string {
  const type = plainTypeOf(schema)
  return schema.nullable === true ? `${type} | null` : type
}

function plainTypeOf(schema: JsonObject): string {
  const { $ref, type, enum: values, items, format } = schema
  if (typeof $ref === 'string') return refName($ref)
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (type === 'array') return `readonly (${typeOf(items as JsonObject)})[]`
  if (type === 'object') return objectType(schema)
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'string') return format === 'binary' ? 'Blob' : 'string'
  throw new Error(`no TypeScript type for ${JSON.stringify(schema).slice(0, 200)}`)
}

function objectType({ properties, required = [], additionalProperties: others }: JsonObject): string {
  const fields = Object.entries((properties ?? {}) as Readonly<Record<string, JsonObject>>).map(
    ([name, field]) => {
      const needed = (required as readonly Json[]).includes(name)
      const type = needed ? typeOf(field) : `${typeOf(field)} | undefined`
      return `${comment(field)}readonly ${JSON.stringify(name)}${needed ? '' : '?'}: ${type}`
    },
  )
  if (isObject(others)) return `Readonly<Record<string, ${typeOf(others)}>>`
  if (fields.length === 0) return 'Readonly<Record<string, unknown>>'
  return `{\n${[...fields, ...(others === true ? ['readonly [name: string]: unknown'] : [])].join('\n')}\n}`
}

function comment({ description }: JsonObject): string {
  if (typeof description !== 'string') return ''
  return `/** ${description.replaceAll('*/', '* /').replaceAll('\n', '\n * ')} */\n`
}

function operationsFile({ paths }: JsonObject): string {
  const operations = Object.entries(paths as Readonly<Record<string, Readonly<Record<string, JsonObject>>>>)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    )
    .filter(({ operation }) => operation.operationId !== 'issueToken')
  const types = operations.map(({ operation }) => operationType(operation))
  const table = operations.map(
    ({ path, method, operation }) =>
      `${operation.operationId as string}: { method: '${method.toUpperCase()}', path: '${path}' },`,
  )
  return [
    header('Every operation that needs a token: what it takes and answers, and where it is.'),
    "import type * as types from './types.ts'\n",
    `export interface Operations {\n${types.join('\n')}\n}\n`,
    'export type OperationId = keyof Operations\n',
    "export interface OperationAddress { readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'; readonly path: string }\n",
    `export const operations: Readonly<Record<OperationId, OperationAddress>> = {\n${table.join('\n')}\n}\n`,
  ].join('\n')
}

function operationType(operation: JsonObject): string {
  const { operationId, summary, parameters = [], requestBody, responses } = operation
  const inPath = parametersOf(parameters as readonly JsonObject[], 'path')
  const inQuery = parametersOf(parameters as readonly JsonObject[], 'query')
  const answer = schemaOf((responses as Readonly<Record<string, JsonObject>>)['200']!)
  return [
    `/** ${summary as string} */`,
    `readonly ${operationId as string}: {`,
    ...(inPath === null ? [] : [`readonly path: ${inPath}`]),
    ...(inQuery === null ? [] : [`readonly query: ${inQuery}`]),
    ...(requestBody === undefined
      ? []
      : [`readonly body: types.${typeOf(schemaOf(requestBody as JsonObject))}`]),
    `readonly answer: types.${typeOf(answer)}`,
    '}',
  ].join('\n')
}

function parametersOf(parameters: readonly JsonObject[], place: string): string | null {
  const those = parameters.filter((parameter) => parameter.in === place)
  if (those.length === 0) return null
  const properties = Object.fromEntries(
    those.map(({ name, schema, description }) => [
      name as string,
      { ...(schema as JsonObject), description: description! },
    ]),
  )
  const required = those.filter((parameter) => parameter.required).map(({ name }) => name!)
  return objectType({ type: 'object', properties, required })
}

function schemaOf({ content }: JsonObject): JsonObject {
  const [only] = Object.values(content as Readonly<Record<string, JsonObject>>)
  return only!.schema as JsonObject
}

function codesFile(document: JsonObject): string {
  const rows = Object.entries(document['x-result-codes'] as Readonly<Record<string, JsonObject>>).map(
    ([code, { cause, action }]) => `${code}: ${JSON.stringify({ cause, action })},`,
  )
  return [
    header('Why a request was refused and what to do about it, by its result code.'),
    'export interface ResultCodeText { readonly cause: string; readonly action: string }\n',
    `export const resultCodes: Readonly<Record<string, ResultCodeText>> = {\n${rows.join('\n')}\n}\n`,
  ].join('\n')
}
