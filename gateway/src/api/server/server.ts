/** The public HTTP server: bounds, JSON, errors, authentication; the endpoints come from the stages and nouns. */
import { isUtf8 } from 'node:buffer'
import { fastify, type FastifyInstance, type FastifyPluginCallback } from 'fastify'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { Problem } from '../../contract/problem.ts'
import type { Authenticate } from './authenticate.ts'
import { answerNoHttp, answerNotFound, answerProblem, createErrorHandler } from './errors.ts'
import { maxLevels, nestsTooDeep } from './nesting.ts'
import { holdsTooMuch, maxValues } from './width.ts'

export interface EdgeOptions {
  readonly log: Log
  readonly metrics: Metrics
  readonly authenticate: Authenticate
  readonly open: readonly FastifyPluginCallback[]
  readonly authenticated: readonly FastifyPluginCallback[]
}

const bodyLimitBytes = 256 * 1024

export function createServer(options: EdgeOptions): FastifyInstance {
  const server = fastify({
    logger: false,
    bodyLimit: bodyLimitBytes,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100 },
    // A proxy in front may keep its connections open for long; ours must outlive them.
    keepAliveTimeout: 75_000,
    requestTimeout: 30_000,
    frameworkErrors: (_error, _request, reply) => {
      void answerProblem(reply, new Problem('A300', 'Wrong request: the path cannot be read'))
    },
    clientErrorHandler: answerNoHttp,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: false } },
  })
  server.decorateRequest('account', null)
  server.setErrorHandler(createErrorHandler(options.log))
  server.setNotFoundHandler(answerNotFound)
  server.removeContentTypeParser('text/plain')
  // Published SDKs name JSON as the content type of requests that have no body.
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0 && (request.method !== 'POST' || request.url.startsWith('/v1/auth/'))) {
      done(null, undefined)
      return
    }
    // Read as a string it would be sent with other characters in place of what is no UTF-8.
    if (!isUtf8(body as Buffer)) {
      done(new Problem('A010', 'Cannot parse JSON: the body is not UTF-8'))
      return
    }
    const json = body.toString()
    if (nestsTooDeep(json)) {
      done(new Problem('A011', `JSON cannot be mapped: at most ${maxLevels} levels of nesting`))
      return
    }
    if (holdsTooMuch(json)) {
      done(new Problem('A011', `JSON cannot be mapped: at most ${maxValues} values, send several requests`))
      return
    }
    void parseJson(request, json, done)
  })
  const parseJson = server.getDefaultJsonParser('error', 'error')
  server.addHook('onSend', (_request, reply, payload, done) => {
    options.metrics.answers.inc({ code: reply.statusCode })
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
