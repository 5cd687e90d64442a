/**
 * HTTP server of the admin API, on its own port. Limits, authenticates and validates every request, and sends
 * only the fields that the response schema describes.
 */
import { fastify, type FastifyError, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { bodyMemoryBytes, limitBodyMemory } from '../edge/api/server/bodies.ts'
import { limitRequestsPerConnection } from '../edge/api/server/connections.ts'
import { hasTooManyValues } from '../edge/api/server/json-values.ts'
import { isTooDeep } from '../edge/api/server/json-depth.ts'
import { strictTransportSecurity, type ServerCertificate } from '../edge/api/server/listen.ts'
import { ThrottledLog } from '../platform/logging/throttled-log.ts'
import { addRoute, toCaller } from './add-route.ts'
import { toResponse } from '../operations/response.ts'
import { createAuthenticateOperator } from './authenticate.ts'
import { ClientBounds } from './client-bounds.ts'
import { ClientScopes } from './client-scope.ts'
import { ConsoleFiles } from './console/files.ts'
import { serveConsole } from './console/serve.ts'
import { createAdminDocument } from './document.ts'
import { inputSchemas, readInput } from '../operations/input.ts'
import { LiveFeed } from './live/feed.ts'
import { Viewer } from './live/viewer.ts'
import type { OpenOperation } from '../operations/sign-in/open-operation.ts'
import { addOpenRoutes } from './open-routes.ts'
import type { AdminOperation } from '../operations/operation.ts'
import { OperationError } from '../operations/errors.ts'
import { sendProblem, toOperationError } from '../operations/problem.ts'
import { RefusedSignIns } from '../operations/refused-sign-ins.ts'
import type { AdminServices } from '../operations/services.ts'
import { openSignIn, type SignInOptions } from '../operations/sign-in/open.ts'
import { RequestSlots, unlimitedInAll } from '../operations/slots.ts'
import { RefusalThrottle } from '../operations/throttle.ts'

export interface AdminServerOptions {
  readonly services: AdminServices
  readonly operations: readonly AdminOperation[]
  /** Operations that require neither a key nor a session. */
  readonly openOperations: readonly OpenOperation[]
  /** TLS certificate; the server speaks plain HTTP if it is omitted. */
  readonly certificate?: ServerCertificate | undefined
  // Only tests set the following options.
  readonly throttle?: RefusalThrottle
  readonly clientBounds?: ClientBounds
  readonly consoleFiles?: ConsoleFiles
  readonly signIn?: Pick<SignInOptions, 'pauses' | 'fetchLimits'>
}

const bodyLimitBytes = 64 * 1024
/**
 * Closes a connection without traffic, such as one whose response is not read. Longer than any change takes.
 */
const silentMs = 120_000

/** The type of a TLS instance differs only in parts that are not used here. */
const open = fastify as unknown as (
  options: FastifyServerOptions & { https?: ServerCertificate },
) => FastifyInstance

export function createAdminServer({
  services,
  operations,
  openOperations,
  certificate,
  throttle = new RefusalThrottle(),
  clientBounds = new ClientBounds(),
  consoleFiles = new ConsoleFiles(),
  signIn: signInOptions = {},
}: AdminServerOptions): FastifyInstance {
  const server = open({
    ...(certificate === undefined ? {} : { https: certificate }),
    logger: false,
    bodyLimit: bodyLimitBytes,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    exposeHeadRoutes: false,
    keepAliveTimeout: 75_000,
    requestTimeout: 30_000,
    connectionTimeout: silentMs,
    frameworkErrors: (_error, _request, reply) => {
      void sendProblem(reply, new OperationError('invalid-request', 'the path cannot be decoded'))
    },
  })
  limitRequestsPerConnection(server)
  limitBodyMemory(server, { maxBytes: bodyMemoryBytes })
  server.decorateRequest('operator', null)
  server.decorateRequest('bodySlot', null)
  readJson(server)
  answerErrors(server, services)
  const isHttps = certificate !== undefined || services.config.httpPlaintext === 'proxy'
  server.addHook('onSend', (_request, reply, payload, done) => {
    void reply.header('x-content-type-options', 'nosniff')
    if (isHttps) void reply.header('strict-transport-security', strictTransportSecurity)
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store')
    done(null, payload)
  })
  // All responses share these bytes; a string would be copied for every connection that does not read.
  const document = Buffer.from(JSON.stringify(createAdminDocument(operations, openOperations)))
  server.get('/admin/v1/openapi.json', (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(document),
  )
  const refused = new RefusedSignIns(services.signIns)
  const hasCertificate = certificate !== undefined
  const signIn = openSignIn(services, { ...signInOptions, hasCertificate, refused, throttle })
  const { cookies } = signIn
  addOpenRoutes(server, services, signIn, openOperations)
  const authenticate = createAuthenticateOperator(services, { throttle, refused, cookies })
  const bounds = {
    slots: new RequestSlots(),
    clientSlots: new RequestSlots(unlimitedInAll),
    bodies: new RequestSlots(unlimitedInAll),
    changes: { running: 0 },
    clientBounds,
    clientScopes: new ClientScopes(services.signIns, throttle),
    cookies,
  }
  for (const operation of operations) {
    if (operation.stream === undefined) addRoute(server, services, operation, authenticate, bounds)
    else addStream(server, services, operation, authenticate)
  }
  serveConsole(server, consoleFiles)
  return server
}

/** Streams last for hours: they have their own limits and occupy no request slot. */
function addStream(
  server: FastifyInstance,
  services: AdminServices,
  operation: AdminOperation,
  authenticate: ReturnType<typeof createAuthenticateOperator>,
): void {
  const schemas = inputSchemas(operation)
  const { event, read } = operation.stream!
  const feed = new LiveFeed(
    { event, read: async () => toResponse(operation.data, await read(services)) },
    services.log,
  )
  server.addHook('preClose', () => feed.stop())
  server.get(operation.path, async (request, reply) => {
    const caller = toCaller(request, services, operation)
    const { act, signed } = await authenticate(caller, operation)
    readInput(schemas, request)
    feed.requirePlace(signed.name)
    reply.hijack()
    const check = () => authenticate({ ...caller, active: false }, operation)
    feed.add(new Viewer(reply.raw, signed.name, check, act.requestId))
  })
}

function readJson(server: FastifyInstance): void {
  server.removeContentTypeParser('text/plain')
  const parseJson = server.getDefaultJsonParser('error', 'error')
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const json = body as string
    if (json === '') done(null, undefined)
    else if (isTooDeep(json) || hasTooManyValues(json))
      done(new OperationError('invalid-request', 'the body is nested too deeply or has too many values'))
    else void parseJson(request, json, done)
  })
}

function answerErrors(server: FastifyInstance, { log }: Pick<AdminServices, 'log'>): void {
  const rareLog = new ThrottledLog()
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const { method, routeOptions } = request
    const problem = toOperationError(error)
    if (problem === null) {
      const suppressed = rareLog.due([method, routeOptions.url, error.name, error.code].join(' '))
      if (suppressed !== undefined)
        log.error(
          { err: error, method, path: routeOptions.url, suppressed },
          'admin API request failed unexpectedly; see `err` for the cause and report it as a bug',
        )
    }
    const answered = problem ?? new OperationError('internal', 'internal error; see the log of the process')
    return sendProblem(reply, answered)
  })
  server.setNotFoundHandler((_request, reply) =>
    sendProblem(
      reply,
      new OperationError('not-found', 'path or method not found; see GET /admin/v1/openapi.json', {
        facts: { resource: 'path' },
      }),
    ),
  )
}
