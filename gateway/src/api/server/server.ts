/** The public HTTP server: size limits, JSON parsing, errors and authentication. The endpoints are plugins. */
import { isUtf8 } from 'node:buffer'
import { fastify, type FastifyInstance, type FastifyPluginCallback, type FastifyServerOptions } from 'fastify'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { Problem } from '../../contract/problem.ts'
import { strictTransportSecurity, type ServerCertificate } from './listen.ts'
import type { Authenticate } from './authenticate.ts'
import { bodyMemoryBytes, boundBodies } from './bodies.ts'
import { limitRequestsPerConnection } from './connections.ts'
import { answerMalformed, answerNotFound, answerProblem, createErrorHandler } from './errors.ts'
import { isTooDeep, maxDepth } from './json-depth.ts'
import { hasTooManyValues, maxValues } from './json-values.ts'
import { createRequestId } from './request-id.ts'
import { boundUnreadAnswers, type UnreadLimits } from './unread-answers.ts'

export interface ServerOptions {
  readonly log: Log
  readonly metrics: Metrics
  readonly authenticate: Authenticate
  readonly open: readonly FastifyPluginCallback[]
  readonly authenticated: readonly FastifyPluginCallback[]
  /** Absent: HTTP in clear. */
  readonly certificate?: ServerCertificate | undefined
  /** Whether a proxy of the operator serves HTTPS for a server without a certificate. */
  readonly isBehindHttps?: boolean
  /** Tests set other limits. */
  readonly silentMs?: number
  readonly bodyMemoryBytes?: number
  readonly unreadLimits?: UnreadLimits
}

const bodyLimitBytes = 256 * 1024
/**
 * Without a byte in either direction, such as an answer that is not read. Longer than any request waits: a stream for 30 s, a send for the
 * broker for up to 60 s.
 */
const usualSilentMs = 120_000

/** The type of an instance with TLS differs in nothing that is used here. */
const open = fastify as unknown as (
  options: FastifyServerOptions & { https?: ServerCertificate },
) => FastifyInstance

export function createServer(options: ServerOptions): FastifyInstance {
  const server = open({
    ...(options.certificate === undefined ? {} : { https: options.certificate }),
    logger: false,
    // A request on a connection that is still open while the server closes is processed like any other.
    return503OnClosing: false,
    genReqId: createRequestId,
    bodyLimit: bodyLimitBytes,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100 },
    // Longer than the idle timeout of common proxies, so that the proxy closes a connection first.
    keepAliveTimeout: 75_000,
    requestTimeout: 30_000,
    connectionTimeout: options.silentMs ?? usualSilentMs,
    frameworkErrors: (_error, request, reply) => {
      // Fastify runs no hook for these requests.
      void reply.header('request-id', request.id)
      void answerProblem(reply, new Problem('A300', 'Wrong request: the path cannot be decoded'))
    },
    clientErrorHandler: answerMalformed,
  })
  limitRequestsPerConnection(server)
  boundBodies(server, { maxBytes: options.bodyMemoryBytes ?? bodyMemoryBytes, streamed: '/v1/file/' })
  boundUnreadAnswers(server, options.unreadLimits)
  server.decorateRequest('account', null)
  server.decorateRequest('credential', null)
  server.setErrorHandler(createErrorHandler(options.log))
  server.setNotFoundHandler(answerNotFound)
  server.removeContentTypeParser('text/plain')
  // Published SDKs send a JSON content type with requests that have no body.
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0 && request.method !== 'POST') {
      done(null, undefined)
      return
    }
    // Decoding would replace invalid bytes and send other characters than the client meant.
    if (!isUtf8(body as Buffer)) {
      done(new Problem('A010', 'Cannot parse JSON: the body must be UTF-8'))
      return
    }
    const json = body.toString()
    if (isTooDeep(json)) {
      done(new Problem('A011', `JSON cannot be mapped: more than ${maxDepth} levels of nesting`))
      return
    }
    if (hasTooManyValues(json)) {
      done(new Problem('A011', `JSON cannot be mapped: more than ${maxValues} values; split the request`))
      return
    }
    void parseJson(request, json, done)
  })
  const parseJson = server.getDefaultJsonParser('error', 'error')
  const isHttps = options.certificate !== undefined || options.isBehindHttps === true
  server.addHook('onSend', (request, reply, payload, done) => {
    options.metrics.answers.inc({ status: reply.statusCode })
    void reply.header('request-id', request.id)
    if (isHttps) void reply.header('strict-transport-security', strictTransportSecurity)
    done(null, payload)
  })
  for (const plugin of options.open) server.register(plugin)
  server.register((scope, _options, done) => {
    scope.addHook('onRequest', options.authenticate)
    for (const plugin of options.authenticated) scope.register(plugin)
    done()
  })
  return server
}
