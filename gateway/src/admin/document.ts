/** The OpenAPI 3.1 document of the admin API, made from its operations. */
import { STATUS_CODES } from 'node:http'
import { Type, type TObject, type TSchema } from 'typebox'
import { rights } from '../operators/rights.ts'
import { adminCodes, type AdminCode } from '../acts/codes.ts'
import { environmentName } from '../platform/setting-name.ts'
import { inputSchemas } from './input.ts'
import { NamedSchemas } from './named-schemas.ts'
import type { OpenOperation } from './open-operation.ts'
import type { AdminOperation, ClientScope, StreamSource, TagName } from './operation.ts'

export const tags: Readonly<Record<TagName, string>> = {
  Now: 'Whether traffic flows, and what is wrong.',
  Messages: 'Find messages, and see what became of one.',
  Routes: 'The ways to carriers: their health, and what changes it.',
  Accounts: 'Accounts, their credentials and limits.',
  Senders: 'Who may be named as the sender of a message.',
  Webhooks: 'Where reports are pushed, and what fails.',
  Parked: 'Jobs that no stage could process.',
  Rules: 'Rules of trust, messages that they hold, and recipients who opted out.',
  Usage: 'What accounts have sent, and the ledger.',
  Audit: 'Who did what.',
  Sandbox: 'What was sent over routes of the sandbox, as phones show it; for tests of clients.',
  'Sign-in': 'Sign in with a browser, and see and end sessions.',
  Operators: 'Who may use this API and the commands.',
}

const introduction = [
  'The API of operators. It listens on a port of its own (`POSTERN_ADMIN_PORT`) and takes keys of operators, ' +
    'or the session of a browser; the role of the operator says which operations it may do. With a session, ' +
    'requests that change something must come from a page of the same origin.',
  '',
  'A success is a JSON object with `data`; an error is a `Problem` (RFC 9457) with a `code`. ' +
    'An unknown field is refused. Times are ISO 8601 in UTC. Lists are read page by page: send the `next` of a page as ' +
    '`cursor`. What changes something, or shows personal data, is recorded in the audit log with its reason; the header ' +
    '`Request-Id` of the answer is in its row.',
  '',
  'An operator of a client (role `client`) does the operations with `x-client`, and reaches its own account alone: what belongs to others is ' +
    '`not-found`, as what does not exist. Fields with `x-internal` are left out of answers to clients. While ' +
    'its account is blocked, it reads, revokes credentials and signs out alone.',
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
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ operatorKey: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        operatorKey: { type: 'http', scheme: 'bearer', description: 'The key of an operator.' },
        session: {
          ...{ type: 'apiKey', in: 'cookie', name: '__Host-postern-session' },
          description:
            'The session of a browser, begun by signing in. Without HTTPS, on loopback, the name is postern-session.',
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
    code: Type.String({
      enum: Object.keys(adminCodes),
      description: 'The kind of error, see `x-result-codes`',
    }),
    field: Type.Optional(Type.String({ description: 'The parameter or field of the body that is wrong' })),
    facts: Type.Object({}, { additionalProperties: true, description: 'Values of `detail` for programs' }),
    retryAfterSeconds: Type.Optional(Type.Integer({ description: 'As in the header `Retry-After`' })),
    done: Type.Optional(
      Type.Boolean({
        description:
          'Set for `repeated`: whether the first request is done; false while it may be in progress, or was interrupted or refused',
      }),
    ),
  },
  { additionalProperties: false, description: 'An error, as RFC 9457 describes it' },
)

const clientScopes: Readonly<Record<ClientScope, string>> = {
  own: 'Clients: with their own account alone.',
  self: 'Clients: as everybody.',
  public: 'Clients: as everybody.',
}

function toOperation(operation: AdminOperation, schemas: NamedSchemas): object {
  const { id, tag, summary, description, access, client, action, enabledBy } = operation
  const { allows, roles } = rights[access.right]
  const forClients = client === undefined ? '' : ` ${clientScopes[client]}`
  const needs = `Needs the right _${access.right}_: ${allows}. Roles: ${roles.join(', ')}.${forClients}`
  const enabled = enabledBy && `Refused unless \`${environmentName(enabledBy)}\` is \`yes\`.`
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
  const needs = 'Needs neither a key nor a session.'
  const redirect = {
    description: 'The browser is sent there',
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
      'Request-Id': { description: 'The request in the audit log', schema: { type: 'string' } },
    },
    content:
      stream === undefined
        ? { 'application/json': { schema: envelope(schema) } }
        : { 'text/event-stream': { schema: eventSchema(stream), 'x-event-data': schema } },
  }
}

/** An object without a title gets that of its operation, such as `DropParkedResult`. */
function withTitle(schema: TSchema, standard: string): object {
  return { title: `${standard[0]!.toUpperCase()}${standard.slice(1)}`, ...schema }
}

const onceParameter = {
  ...{ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 200 } },
  description:
    'The act is done once for each key and operator. A repeat is answered `repeated`; what was answered before is not stored.',
}

const versionParameter = {
  ...{ name: 'If-Match', in: 'header', required: false, schema: { type: 'string', maxLength: 20 } },
  description: 'The `version` that was read of what is replaced; left out for something new',
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
    // A parameter with a default may be left out.
    const needed = place === 'path' || (required.has(name) && !('default' in rest))
    return { name, in: place, required: needed, description: description ?? name, schema: rest }
  })
}

/** One response per status, which every operation refers to: most codes come from the server, not from an operation. */
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

/** Without what only the library needs. */
function toJson(document: object): AdminDocument {
  return JSON.parse(JSON.stringify(document)) as AdminDocument
}
