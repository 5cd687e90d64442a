/**
 * The HTTP server of the admin API, on a port of its own. It bounds every request, authenticates it, checks it by the schemas of its
 * operation and sends only what the schema of the answer describes. Started by the admin role.
 */
import { fastify, type FastifyError, type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { bodyMemoryBytes, boundBodies } from '../api/server/bodies.ts'
import { limitRequestsPerConnection } from '../api/server/connections.ts'
import { hasTooManyValues } from '../api/server/json-values.ts'
import { isTooDeep } from '../api/server/json-depth.ts'
import { strictTransportSecurity, type ServerCertificate } from '../api/server/listen.ts'
import { RareLog } from '../platform/rare-log.ts'
import { addRoute, callerOf } from './add-route.ts'
import { toAnswer } from './answer.ts'
import { createAuthenticateOperator } from './authenticate.ts'
import { ClientBounds } from './client-bounds.ts'
import { ClientScopes } from './client-scope.ts'
import { ConsoleFiles } from './console/files.ts'
import { serveConsole } from './console/serve.ts'
import { createAdminDocument } from './document.ts'
import { inputSchemas, readInput } from './input.ts'
import { LiveFeed } from './live/feed.ts'
import { Viewer } from './live/viewer.ts'
import type { OpenOperation } from './open-operation.ts'
import { addOpenRoutes } from './open-routes.ts'
import type { AdminOperation } from './operation.ts'
import { OperationError } from '../acts/errors.ts'
import { sendProblem, toOperationError } from './problem.ts'
import { RefusedSignIns } from './refused-sign-ins.ts'
import type { AdminServices } from './services.ts'
import { openSignIn, type SignInOptions } from './sign-in/open.ts'
import { RequestSlots, unlimitedInAll } from './slots.ts'
import { RefusalThrottle } from './throttle.ts'

export interface AdminServerOptions {
  readonly services: AdminServices
  readonly operations: readonly AdminOperation[]
  /** Without a key or a session. */
  readonly openOperations: readonly OpenOperation[]
  /** Absent: HTTP in clear. */
  readonly certificate?: ServerCertificate | undefined
  /** Tests set other limits. */
  readonly throttle?: RefusalThrottle
  readonly clientBounds?: ClientBounds
  /** Tests have a console of their own. */
  readonly consoleFiles?: ConsoleFiles
  readonly signIn?: Pick<SignInOptions, 'pauses' | 'fetchLimits'>
}

const bodyLimitBytes = 64 * 1024
/** Without a byte in either direction, such as an answer that is not read. Longer than any change takes. */
const silentMs = 120_000

/** The type of an instance with TLS differs in nothing that is used here. */
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
  boundBodies(server, { maxBytes: bodyMemoryBytes })
  server.decorateRequest('operator', null)
  server.decorateRequest('bodySlot', null)
  readJson(server)
  answerErrors(server, services)
  const isHttps = certificate !== undefined || services.config.httpClear === 'proxy'
  server.addHook('onSend', (_request, reply, payload, done) => {
    void reply.header('x-content-type-options', 'nosniff')
    if (isHttps) void reply.header('strict-transport-security', strictTransportSecurity)
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store')
    done(null, payload)
  })
  // As bytes it is shared by all answers; of a text every connection that does not read would hold a copy.
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
    ...{ slots: new RequestSlots(), clientSlots: new RequestSlots(unlimitedInAll) },
    bodies: new RequestSlots(unlimitedInAll),
    ...{ changes: { running: 0 }, clientBounds },
    ...{ clientScopes: new ClientScopes(services.signIns, throttle), cookies },
  }
  for (const operation of operations) {
    if (operation.stream === undefined) addRoute(server, services, operation, authenticate, bounds)
    else addStream(server, services, operation, authenticate)
  }
  serveConsole(server, consoleFiles)
  return server
}

/** A stream lasts for hours: it has bounds of its own, and none of the slots of requests. */
function addStream(
  server: FastifyInstance,
  services: AdminServices,
  operation: AdminOperation,
  authenticate: ReturnType<typeof createAuthenticateOperator>,
): void {
  const schemas = inputSchemas(operation)
  const { event, read } = operation.stream!
  const feed = new LiveFeed(
    { event, read: async () => toAnswer(operation.data, await read(services)) },
    services.log,
  )
  server.addHook('preClose', () => feed.stop())
  server.get(operation.path, async (request, reply) => {
    const caller = callerOf(request, services, operation)
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
      done(new OperationError('invalid-request', 'the body has too many levels or values'))
    else void parseJson(request, json, done)
  })
}

function answerErrors(server: FastifyInstance, { log }: Pick<AdminServices, 'log'>): void {
  const rareLog = new RareLog()
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const { method, routeOptions } = request
    const problem = toOperationError(error)
    if (problem === null) {
      const suppressed = rareLog.due([method, routeOptions.url, error.name, error.code].join(' '))
      if (suppressed !== undefined)
        log.error(
          { err: error, method, path: routeOptions.url, suppressed },
          'a request to the admin API failed unexpectedly; `err` names the cause, report it as a bug',
        )
    }
    const answered = problem ?? new OperationError('internal', 'internal error; see the log of the process')
    return sendProblem(reply, answered)
  })
  server.setNotFoundHandler((_request, reply) =>
    sendProblem(
      reply,
      new OperationError(
        'not-found',
        'no such path or method; GET /admin/v1/openapi.json describes them all',
        { facts: { resource: 'path' } },
      ),
    ),
  )
}
