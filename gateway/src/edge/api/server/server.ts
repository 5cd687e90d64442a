import { isUtf8 } from 'node:buffer'
import { maxHeaderSize } from 'node:http'
import { fastify, type FastifyInstance, type FastifyPluginCallback, type FastifyServerOptions } from 'fastify'
import type { Log } from '../../../platform/logging/log.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import { Problem } from '../../../contract/problem.ts'
import { strictTransportSecurity, type ServerCertificate } from './listen.ts'
import type { Authenticate } from './authenticate.ts'
import { bodyMemoryBytes, limitBodyMemory } from './bodies.ts'
import { limitRequestsPerConnection } from './connections.ts'
import { sendMalformed, sendNotFound, sendApiProblem, createErrorHandler } from './errors.ts'
import { isTooDeep, maxDepth } from './json-depth.ts'
import { hasTooManyValues, maxValues } from './json-values.ts'
import { createRequestId } from './request-id.ts'
import { limitUnreadResponses, type UnreadResponseLimits } from './unread-responses.ts'

export interface ServerOptions {
  readonly log: Log
  readonly metrics: Metrics
  readonly authenticate: Authenticate
  /** Endpoints that require no token. */
  readonly open: readonly FastifyPluginCallback[]
  readonly authenticated: readonly FastifyPluginCallback[]
  /** TLS certificate; plaintext if undefined. */
  readonly certificate?: ServerCertificate | undefined
  /** Set if the operator's reverse proxy serves HTTPS for a server without a certificate. */
  readonly isBehindHttps?: boolean
  readonly silentMs?: number
  readonly bodyMemoryBytes?: number
  readonly unreadLimits?: UnreadResponseLimits
}

const bodyLimitBytes = 256 * 1024

/** As long as a request line can be, so that every key in a path gets the result code of a key that does not exist. */
const maxParamLength = maxHeaderSize
/**
 * Closes a connection without traffic in either direction, such as a response that is not read. Longer than
 * any request waits: a stream for 30 s, a send for the broker for up to 60 s.
 */
const defaultSilentMs = 120_000

/** Hides the TLS type of the instance, which differs in nothing that is used here. */
const open = fastify as unknown as (
  options: FastifyServerOptions & { https?: ServerCertificate },
) => FastifyInstance

/** Creates the public HTTP server: size limits, JSON parsing, errors and authentication. Endpoints are plugins. */
export function createServer(options: ServerOptions): FastifyInstance {
  const server = open({
    ...(options.certificate === undefined ? {} : { https: options.certificate }),
    logger: false,
    // Process requests on connections that are still open while the server closes.
    return503OnClosing: false,
    genReqId: createRequestId,
    bodyLimit: bodyLimitBytes,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength },
    // Longer than the idle timeout of common proxies, so that the proxy closes a connection first.
    keepAliveTimeout: 75_000,
    requestTimeout: 30_000,
    connectionTimeout: options.silentMs ?? defaultSilentMs,
    frameworkErrors: (_error, request, reply) => {
      // Fastify runs no hook for these requests.
      void reply.header('request-id', request.id)
      void sendApiProblem(reply, new Problem('A300', 'Wrong request: the path cannot be decoded'))
    },
    clientErrorHandler: sendMalformed,
  })
  limitRequestsPerConnection(server)
  limitBodyMemory(server, {
    maxBytes: options.bodyMemoryBytes ?? bodyMemoryBytes,
    streamed: ['/v1/file/', '/v1/batch/:batchId/recipients/'],
  })
  limitUnreadResponses(server, options.unreadLimits)
  server.decorateRequest('account', null)
  server.decorateRequest('credential', null)
  server.setErrorHandler(createErrorHandler(options.log))
  server.setNotFoundHandler(sendNotFound)
  server.removeContentTypeParser('text/plain')
  // Published SDKs send a JSON content type with requests that have no body.
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0 && request.method !== 'POST') {
      done(null, undefined)
      return
    }
    // Decoding would replace invalid bytes and so send other characters than the client meant.
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
