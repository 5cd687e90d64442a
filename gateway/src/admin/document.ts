/** Creates the OpenAPI 3.1 document of the admin API from its operations. */
import { STATUS_CODES } from 'node:http'
import { Type, type TObject, type TSchema } from 'typebox'
import { rights } from '../identity/operators/rights.ts'
import { adminCodes, type AdminCode } from '../operations/codes.ts'
import { environmentName } from '../platform/settings/setting-name.ts'
import { inputSchemas } from '../operations/input.ts'
import { NamedSchemas } from './named-schemas.ts'
import type { OpenOperation } from '../operations/sign-in/open-operation.ts'
import type { AdminOperation, ClientScope, StreamSource, AdminTagName } from '../operations/operation.ts'

export const adminTags: Readonly<Record<AdminTagName, string>> = {
  Now: 'Traffic status and alarms.',
  Messages: 'Find messages and show their timelines.',
  Batches: 'One flow for many recipients: progress, pause, resume and cancel.',
  Routes: 'Routes to carriers: configuration, state and health.',
  Accounts: 'Accounts, their credentials and limits.',
  Senders: 'Registered senders of accounts.',
  Webhooks: 'Webhooks that receive reports, and failed pushes.',
  Parked: 'Jobs that no stage could process.',
  Rules: 'Trust rules, held messages and opt-outs.',
  Usage: 'Usage of accounts, and the ledger.',
  Audit: 'The audit log.',
  Sandbox: 'Messages sent over sandbox routes, as phones show them; for client tests.',
  'Sign-in': 'Sign in with a browser; list and end sessions.',
  Operators: 'Users of this API and of the commands.',
}

const introduction = [
  'The API for operators. It listens on its own port (`POSTERN_ADMIN_PORT`) and accepts operator keys ' +
    'or a browser session; the role of the operator determines which operations are allowed. With a session, ' +
    'requests that change something must come from a page of the same origin.',
  '',
  'A success is a JSON object with `data`; an error is a `Problem` (RFC 9457) with a `code`. ' +
    'Unknown fields are rejected. Times are ISO 8601 in UTC. Lists are paged: send the `next` of a page as ' +
    '`cursor`. Changes and reads of personal data are recorded in the audit log with their reason; the response ' +
    'header `Request-Id` identifies the row.',
  '',
  'An operator of a client (role `client`) can call operations with `x-client`, for its own account only: objects of other accounts are ' +
    '`not-found`, like objects that do not exist. Fields with `x-internal` are omitted from responses to clients. While ' +
    'its account is blocked, it can only read, revoke credentials and sign out.',
].join('\n')

export interface AdminDocument {
  readonly openapi: '3.1.0'
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>
    readonly [kind: string]: unknown
  }
  readonly [field: string]: unknown
}

export function createAdminDocument(
  operations: readonly AdminOperation[],
  openOperations: readonly OpenOperation[],
): AdminDocument {
  const paths: Record<string, Record<string, object>> = {}
  const schemas = new NamedSchemas()
  for (const operation of operations)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: toOperation(operation, schemas) }
  for (const operation of openOperations)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: toOpenOperation(operation, schemas),
    }
  return toJson({
    openapi: '3.1.0',
    info: {
      title: 'Postern admin API',
      version: 'v1',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: Object.entries(adminTags).map(([name, description]) => ({ name, description })),
    security: [{ operatorKey: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        operatorKey: { type: 'http', scheme: 'bearer', description: 'An operator key.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-postern-session',
          description:
            'A browser session, created by signing in. Without HTTPS, on loopback, the cookie name is postern-session.',
        },
      },
      responses: Object.fromEntries(errors.map(({ name, response }) => [name, response])),
      schemas: { Problem, ...schemas.components },
    },
    'x-result-codes': adminCodes,
  })
}

const Problem = Type.Object(
  {
    type: Type.String({ description: 'Identifies the kind of error: `/problems/` and the code' }),
    title: Type.String({ description: 'Describes the kind of error' }),
    status: Type.Integer({ description: 'The HTTP status' }),
    detail: Type.String({ description: 'What is wrong with this request' }),
    code: Type.String({ enum: Object.keys(adminCodes), description: 'The error code, see `x-result-codes`' }),
    field: Type.Optional(Type.String({ description: 'The invalid parameter or body field' })),
    facts: Type.Object({}, { additionalProperties: true, description: 'Values of `detail` for programs' }),
    retryAfterSeconds: Type.Optional(Type.Integer({ description: 'As in the header `Retry-After`' })),
    done: Type.Optional(
      Type.Boolean({
        description:
          'Set for `repeated`: whether the first request completed; false if it is in progress, was interrupted or was refused',
      }),
    ),
  },
  { additionalProperties: false, description: 'An error in the format of RFC 9457' },
)

const clientScopes: Readonly<Record<ClientScope, string>> = {
  own: 'Clients: for their own account only.',
  self: 'Clients: allowed.',
  public: 'Clients: allowed.',
}

function toOperation(operation: AdminOperation, schemas: NamedSchemas): object {
  const { id, tag, summary, description, access, client, action, enabledBy } = operation
  const { allows, roles } = rights[access.right]
  const forClients = client === undefined ? '' : ` ${clientScopes[client]}`
  const needs = `Requires the right _${access.right}_: ${allows}. Roles: ${roles.join(', ')}.${forClients}`
  const enabled = enabledBy && `Rejected unless \`${environmentName(enabledBy)}\` is \`yes\`.`
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description, enabled, needs].filter((part) => part !== undefined).join('\n\n'),
    'x-right': access.right,
    'x-roles': client === undefined ? roles : [...roles, 'client'],
    ...(client === undefined ? {} : { 'x-client': client }),
    'x-access': access.kind,
    'x-audit-action': action,
    ...toInput(operation, schemas),
    responses: { '200': toSuccess(operation, schemas), ...errorReferences() },
  }
}

function toOpenOperation(operation: OpenOperation, schemas: NamedSchemas): object {
  const { id, tag, summary, description, action, data } = operation
  const needs = 'Requires neither a key nor a session.'
  const redirect = {
    description: 'Redirects the browser',
    headers: { Location: { description: 'Where', schema: { type: 'string' } } },
  }
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: description === undefined ? needs : `${description}\n\n${needs}`,
    security: [],
    'x-audit-action': action,
    ...toInput(operation, schemas),
    responses: {
      ...(data === null ? { '303': redirect } : { '200': toSuccess({ id, data }, schemas) }),
      ...errorReferences(),
    },
  }
}

function toInput(
  operation: Parameters<typeof inputSchemas>[0] & { readonly id: string },
  schemas: NamedSchemas,
): object {
  const { params, query, body } = inputSchemas(operation)
  return {
    parameters: [
      ...toParameters(params, 'path'),
      ...toParameters(query, 'query'),
      ...(operation.access.kind === 'change' ? [onceParameter] : []),
      ...('replaces' in operation && operation.replaces === true ? [versionParameter] : []),
    ],
    ...(body === null || Object.keys(body.properties).length === 0
      ? {}
      : {
          requestBody: {
            required: Object.keys((body as { required?: object }).required ?? {}).length > 0,
            content: {
              'application/json': { schema: schemas.write(withTitle(body, `${operation.id}Request`)) },
            },
          },
        }),
  }
}

function toSuccess(
  { id, data, stream }: Pick<AdminOperation, 'id' | 'stream'> & { readonly data: TSchema },
  schemas: NamedSchemas,
): object {
  const schema = schemas.write(withTitle(data, `${id}Result`))
  return {
    description: 'Done',
    headers: {
      'Request-Id': { description: 'ID of the request in the audit log', schema: { type: 'string' } },
    },
    content:
      stream === undefined
        ? { 'application/json': { schema: envelope(schema) } }
        : { 'text/event-stream': { schema: eventSchema(stream), 'x-event-data': schema } },
  }
}

/** Names an object without a title after its operation, such as `DropParkedResult`. */
function withTitle(schema: TSchema, defaultTitle: string): object {
  return { title: `${defaultTitle[0]!.toUpperCase()}${defaultTitle.slice(1)}`, ...schema }
}

const onceParameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 200 },
  description:
    'Makes the request idempotent for this key and operator. A repeat returns `repeated`; the original response is not stored.',
}

const versionParameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 20 },
  description: 'The `version` of the object to replace, as it was read; omit it for a new object',
}

function eventSchema({ event }: StreamSource): object {
  return Type.String({ description: `Server-sent events; \`${event}\` has JSON of x-event-data` })
}

function envelope(data: object): object {
  return Type.Object(
    {
      code: Type.String({ enum: ['success'], description: 'Result code' }),
      result: Type.String({ description: 'Description of the result' }),
      data: Type.Unsafe(data),
    },
    { additionalProperties: false },
  )
}

function toParameters(schema: TObject, place: 'path' | 'query'): object[] {
  const required = new Set((schema as { required?: readonly string[] }).required ?? [])
  return Object.entries(schema.properties).map(([name, field]) => {
    const { description, ...rest } = field as { description?: string }
    // A parameter with a default is optional.
    const needed = place === 'path' || (required.has(name) && !('default' in rest))
    return { name, in: place, required: needed, description: description ?? name, schema: rest }
  })
}

/**
 * One response per status, referenced by every operation: most codes come from the server, not from an
 * operation.
 */
const errors = [
  ...Map.groupBy(Object.keys(adminCodes) as AdminCode[], (code) => adminCodes[code].status),
].map(([status, codes]) => ({
  status,
  name: STATUS_CODES[status]!.replaceAll(' ', ''),
  response: {
    description: codes.map((code) => `\`${code}\`: ${adminCodes[code].title}`).join(' '),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  },
}))

function errorReferences(): Record<string, object> {
  return Object.fromEntries(
    errors.map(({ status, name }) => [String(status), { $ref: `#/components/responses/${name}` }]),
  )
}

/** Removes properties that only the schema library needs. */
function toJson(document: object): AdminDocument {
  return JSON.parse(JSON.stringify(document)) as AdminDocument
}
