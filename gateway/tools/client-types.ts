/**
 * The generated sources of the TypeScript client, from the client document: a type for every schema, the operations with
 * the types of what they take and answer, and the table of result codes.
 */
import { createClientDocument } from '../src/api/reference/client-document.ts'
import type { JsonObject } from '../src/api/reference/client-schema.ts'
import { namedTypes, parametersType, typeOf, type Schemas } from './schema-types.ts'

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
  const { schemas } = components as Readonly<Record<string, Schemas>>
  return [header('What is sent and answered.'), ...namedTypes(schemas!)].join('\n')
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
  const { operationId, summary, requestBody, responses } = operation
  const inPath = parametersType(operation, 'path')
  const inQuery = parametersType(operation, 'query')
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
