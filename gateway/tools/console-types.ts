/**
 * `node gateway/tools/console-types.ts` writes console/src/generated/operations.ts: the types, methods and
 * paths of the admin operations. Git ignores the file; the build of the console and `npm run check` write it
 * first.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createAdminDocument, type AdminDocument } from '../src/admin/document.ts'
import { adminOperations, openOperations } from '../src/operations/operations.ts'
import type { JsonObject } from '../src/edge/api/reference/client-schema.ts'
import { namedTypes, parametersType, toTypeScript, type Schemas } from './schema-types.ts'

const header = `/**
 * The request, response, method and path of every operation of the admin API.
 * Generated from the definitions in gateway/src/operations, and not in git; change those.
 */
`

/** Types of the input and result of any operation. */
const callTypes = `type Part = 'params' | 'query' | 'body'
type PartsOf<Id extends OperationId> = {
  [One in Part]: Operations[Id][One] extends undefined ? never : One
}[Part]
type MayBeEmpty<Given> = Partial<Given> extends Given ? true : false
/** Parts whose fields are all optional. */
type FreeParts<Id extends OperationId> = {
  [One in PartsOf<Id>]: MayBeEmpty<Operations[Id][One]> extends true ? One : never
}[PartsOf<Id>]

/** Input of an operation: only the parts that it has. */
export type Input<Id extends OperationId> = {
  readonly [One in Exclude<PartsOf<Id>, FreeParts<Id>>]: Operations[Id][One]
} & { readonly [One in FreeParts<Id>]?: Operations[Id][One] }
export type Data<Id extends OperationId> = Operations[Id]['data']
`

interface Operation {
  readonly path: string
  readonly method: string
  readonly operation: JsonObject
}

/** Replaces the file atomically, because a check and a build may write and read it at the same time. */
export function writeConsoleTypes(): void {
  const path = join(import.meta.dirname, '../../console/src/generated/operations.ts')
  const source = operationsSource(createAdminDocument(adminOperations, openOperations))
  if (readOrEmpty(path) === source) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.${process.pid}`, source)
  renameSync(`${path}.${process.pid}`, path)
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function operationsSource({ paths, components }: AdminDocument): string {
  const operations = Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): Operation => ({
        path,
        method,
        operation: operation as JsonObject,
      })),
    )
    .filter(({ operation }) => responseSchemaOf(operation) !== undefined)
  const table = operations.map(
    ({ path, method, operation }) =>
      `${operation.operationId as string}: ['${method.toUpperCase()}', '${path}'],`,
  )
  return [
    header,
    ...namedTypes(components.schemas as Schemas),
    `export interface Operations {\n${operations.map(({ operation }) => operationType(operation)).join('\n')}\n}\n`,
    'export type OperationId = keyof Operations\n',
    callTypes,
    'export const operations: Readonly<Record<OperationId, readonly [method: string, path: string]>> = {',
    ...table,
    '}\n',
    ...clientOperations(operations),
  ].join('\n')
}

function clientOperations(operations: readonly Operation[]): string[] {
  const ids = operations
    .filter(({ operation }) => operation['x-client'] !== undefined)
    .map(({ operation }) => operation.operationId)
  return [
    '/** Operations that client users may call for their own account. */',
    `export const clientOperations: ReadonlySet<OperationId> = new Set<OperationId>(${JSON.stringify(ids)})\n`,
  ]
}

function operationType(operation: JsonObject): string {
  const { operationId, summary, requestBody } = operation
  const body = requestBody === undefined ? 'undefined' : toTypeScript(jsonOf(requestBody as JsonObject)!)
  const { data } = responseSchemaOf(operation)!.properties as Readonly<Record<string, JsonObject>>
  return [
    `/** ${summary as string} */`,
    `readonly ${operationId as string}: {`,
    `readonly params: ${parametersType(operation, 'path') ?? 'undefined'}`,
    `readonly query: ${parametersType(operation, 'query') ?? 'undefined'}`,
    `readonly body: ${body}`,
    `readonly data: ${toTypeScript(data!)}`,
    '}',
  ].join('\n')
}

/** Returns undefined for an operation without a JSON response, such as a stream or a redirect. */
function responseSchemaOf({ responses }: JsonObject): JsonObject | undefined {
  const success = (responses as Readonly<Record<string, JsonObject>>)['200']
  return success === undefined ? undefined : jsonOf(success)
}

function jsonOf({ content }: JsonObject): JsonObject | undefined {
  const json = (content as Readonly<Record<string, JsonObject>> | undefined)?.['application/json']
  return json?.schema as JsonObject | undefined
}

if (import.meta.main) writeConsoleTypes()
