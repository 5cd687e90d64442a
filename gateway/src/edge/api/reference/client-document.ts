/**
 * Creates the OpenAPI document for client generators from the full one: OpenAPI 3.0 with one response type
 * per operation, named error responses, and no links, unions or defaults that a client would send.
 */
import {
  isJsonObject,
  mergeMembers,
  findReachable,
  toClientSchema,
  type JsonValue,
  type JsonObject,
} from './client-schema.ts'
import { createDocument, type DocumentOptions } from './document.ts'
import { errorType, errorTypes } from './error-responses.ts'
import { ref } from './ref.ts'

/** Operations that need CSV or lines of JSON, and the fetch of an image, which carriers and phones make. */
const notForClients = new Set(['fetchImage', 'uploadRecipients', 'downloadBatchResults'])

/** A dry run has another response type, which generated clients would have to distinguish on every send. */
const omittedParameters = new Set(['dryRun'])

export function createClientDocument(options: DocumentOptions = {}): JsonObject {
  const full = JSON.parse(JSON.stringify(createDocument(options))) as JsonObject
  const info = full.info as JsonObject
  const components = full.components as JsonObject
  const paths = toPaths(full.paths as JsonObject)
  return {
    openapi: '3.0.3',
    info: {
      ...info,
      license: { name: 'Apache-2.0' },
      description:
        `${info.description as string}\n\nThis document is for generators of clients. Dry runs, whose response has ` +
        'another type, formats other than JSON, the webhooks and the examples are only in the full document, `/openapi.json`; ' +
        'the objects that are pushed to webhooks are included here.',
    },
    servers: full.servers!,
    tags: full.tags!,
    security: full.security!,
    paths,
    components: {
      securitySchemes: components.securitySchemes!,
      headers: toClientSchema(components.headers!, 'client'),
      responses: Object.fromEntries(
        Object.entries(errorTypes).map(([status, { name, text }]) => [name, errorResponse(status, text)]),
      ),
      schemas: toSchemas(components.schemas as JsonObject, paths, full.webhooks!),
    },
    'x-result-codes': full['x-result-codes']!,
    'x-report-codes': full['x-report-codes']!,
  }
}

function toPaths(paths: JsonObject): JsonObject {
  const entries = Object.entries(paths).map(([path, methods]): [string, JsonObject] => {
    const forClients = Object.entries(methods as Readonly<Record<string, JsonObject>>)
      .filter(([, { operationId }]) => !notForClients.has(operationId as string))
      .map(([method, operation]): [string, JsonObject] => [method, toOperation(operation)])
    return [path, Object.fromEntries(forClients)]
  })
  return Object.fromEntries(entries.filter(([, methods]) => Object.keys(methods).length > 0))
}

function toOperation(operation: JsonObject): JsonObject {
  const { responses, parameters, requestBody, ...others } = withoutExtensions(operation)
  const { 200: success, ...errors } = responses as Readonly<Record<string, JsonObject>>
  return {
    ...others,
    ...(parameters === undefined ? {} : { parameters: toParameters(parameters as readonly JsonObject[]) }),
    ...(requestBody === undefined
      ? {}
      : { requestBody: { ...(requestBody as JsonObject), content: onlySchemas(requestBody as JsonObject) } }),
    responses: {
      200: toSuccess(success!),
      ...Object.fromEntries(
        Object.keys(errors).map((status) => [
          status,
          { $ref: `#/components/responses/${errorType(status).name}` },
        ]),
      ),
    },
  }
}

function toParameters(parameters: readonly JsonObject[]): JsonValue {
  return parameters
    .filter(({ name }) => !omittedParameters.has(name as string))
    .map(({ schema, ...parameter }) => ({
      ...withoutExtensions(parameter),
      schema: toClientSchema(schema!, 'client'),
    }))
}

function withoutExtensions(node: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !key.startsWith('x-')))
}

function onlySchemas({ content }: JsonObject): JsonObject {
  const [type, { schema }] = Object.entries(content as Readonly<Record<string, JsonObject>>)[0]!
  return { [type]: { schema: schema! } }
}

function toSuccess({ description, headers, content }: JsonObject): JsonObject {
  const { schema } = (content as Readonly<Record<string, JsonObject>>)['application/json']!
  const { anyOf } = schema as JsonObject
  // The second member is the dry run, whose parameter is left out.
  const responseSchema = Array.isArray(anyOf) ? (anyOf[0] as JsonObject) : schema!
  return {
    description: description!,
    ...(headers === undefined ? {} : { headers }),
    content: { 'application/json': { schema: responseSchema } },
  }
}

function errorResponse(status: string, text: string): JsonObject {
  const hasRetryAfter = status === '429' || status === '503'
  return {
    description: status === '503' ? `${text}. Repeat a send only with its Idempotency-Key` : text,
    ...(hasRetryAfter ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } } : {}),
    content: { 'application/json': { schema: ref('ErrorResponse') } },
  }
}

/** Converts the schemas that operations and webhooks use. */
function toSchemas(schemas: JsonObject, paths: JsonObject, webhooks: JsonValue): JsonObject {
  const sent = findReachable(getRequestBodies(paths), schemas)
  const converted = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      if (name === 'RcsBody') return [name, freeForm(schema as JsonObject)]
      const merged = mergeMembers(schema as JsonObject, schemas)
      return [name, toClientSchema(merged, sent.has(name) ? 'client' : 'server')]
    }),
  )
  const used = findReachable([paths, webhooks, ref('ErrorResponse')], converted)
  return Object.fromEntries(Object.entries(converted).filter(([name]) => used.has(name)))
}

/** Carriers define the fields, and a value is a string or an object: Java has no type for that. */
function freeForm({ type, description }: JsonObject): JsonObject {
  return { type: type!, description: description!, additionalProperties: true }
}

function getRequestBodies(paths: JsonObject): JsonValue {
  return Object.values(paths).flatMap((methods) =>
    Object.values(methods as JsonObject).map((operation) =>
      isJsonObject(operation) && operation.requestBody !== undefined ? operation.requestBody : null,
    ),
  )
}
