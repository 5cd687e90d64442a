/**
 * Generates sources of the TypeScript client: a type for every schema of the full document, the operations of
 * the client document with the types of their requests and responses, the table of codes and the version.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClientDocument } from '../src/edge/api/reference/client-document.ts'
import type { JsonObject } from '../src/edge/api/reference/client-schema.ts'
import { createDocument } from '../src/edge/api/reference/document.ts'
import { explainReportCode, reportCodes, toReportOutcome } from '../src/channels/report-codes.ts'
import { koreanResultCodes } from '../src/contract/result-codes-ko.ts'
import { resultCodes } from '../src/contract/result-codes.ts'
import { namedTypes, parametersType, toTypeScript, type Schemas } from './schema-types.ts'

const header = (content: string, source = 'the definitions in gateway/src/edge/api/reference') =>
  `/** ${content}\n * Generated from ${source}; change the source and run \`npm run generate\`. */\n`

export function clientSources(): ReadonlyMap<string, string> {
  const document = createClientDocument()
  return new Map([
    ['client/src/generated/types.ts', typesFile()],
    ['client/src/generated/operations.ts', operationsFile(document)],
    ['client/src/generated/codes.ts', codesFile()],
    ['client/src/generated/version.ts', versionFile()],
  ])
}

function typesFile(): string {
  const { schemas } = createDocument().components
  return [header('The schemas of requests and responses.'), ...namedTypes(schemas as Schemas)].join('\n')
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
    header('Every operation that needs a token: its address, and the types of its request and response.'),
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
  const response = schemaOf((responses as Readonly<Record<string, JsonObject>>)['200']!)
  return [
    `/** ${summary as string} */`,
    `readonly ${operationId as string}: {`,
    ...(inPath === null ? [] : [`readonly path: ${inPath}`]),
    ...(inQuery === null ? [] : [`readonly query: ${inQuery}`]),
    ...(requestBody === undefined
      ? []
      : [`readonly body: types.${toTypeScript(schemaOf(requestBody as JsonObject))}`]),
    `readonly response: types.${toTypeScript(response)}`,
    '}',
  ].join('\n')
}

function schemaOf({ content }: JsonObject): JsonObject {
  const [only] = Object.values(content as Readonly<Record<string, JsonObject>>)
  return only!.schema as JsonObject
}

function codesFile(): string {
  const results = Object.values(resultCodes).map(
    ({ code, result: text, cause, action }) =>
      `${code}: ${JSON.stringify({ text, cause, action, ko: { text, ...koreanResultCodes[code] } })},`,
  )
  const reports = reportCodes.map(
    (code) =>
      `${code}: ${JSON.stringify({ ...explainReportCode(code, 'en'), outcome: toReportOutcome(code), ko: explainReportCode(code, 'ko') })},`,
  )
  return [
    header(
      'Result codes and report codes.',
      'gateway/src/contract/result-codes.ts, result-codes-ko.ts and gateway/src/channels/report-codes.ts',
    ),
    `export interface CodeText {
      readonly text: string
      readonly cause: string
      /** What to do next. */
      readonly action: string
    }\n`,
    `export interface CodeDescription extends CodeText {
      /** Outcome of the step. Absent for result codes. */
      readonly outcome?: string
      /** The same in Korean; the text of a result code is that of the API, in English. */
      readonly ko: CodeText
    }\n`,
    `export const codes: Readonly<Record<string, CodeDescription>> = {\n${[...results, ...reports].join('\n')}\n}\n`,
  ].join('\n')
}

function versionFile(): string {
  const path = join(import.meta.dirname, '../../client/package.json')
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
  return [
    header('The version of the package.', 'client/package.json'),
    `export const version = '${version}'\n`,
  ].join('\n')
}
