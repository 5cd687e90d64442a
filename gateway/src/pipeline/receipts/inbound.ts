import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import {
  maxInboundBytes,
  maxInboundReceipts,
  type Inbound,
  type InboundResponse,
  type InboundRequest,
} from '../../carriers/connectors/options/kind.ts'
import { createInbound } from '../../carriers/connectors/registry.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { digestLogin } from '../../carriers/routes/logins.ts'
import type { Route } from '../../carriers/routes/route.ts'
import type { ReplySink } from './reply-sink.ts'
import type { ReceiptSink } from './receipts.ts'

export interface InboundRoutesOptions {
  /** All routes, including disabled ones, whose late receipts still count. */
  readonly routes: { readonly loaded: boolean; readonly value: readonly Route[] }
  readonly onReceipt: ReceiptSink
  readonly onReply: ReplySink
  readonly createInbound?: typeof createInbound
  readonly metrics: Metrics
  readonly log: Log
}

interface Reader {
  readonly route: Route
  readonly createdAt: number
  readonly read: Inbound
  readonly login: string | undefined
}

/** Route whose requests cannot be read. */
interface UnreadableRoute extends Omit<Reader, 'read' | 'login'> {
  readonly response: InboundResponse
}

/** Maximum age of a reader, after which secrets in files are read again. */
const maxReaderAgeMs = 10_000

type RouteRequest = FastifyRequest<{ Params: { routeId: string } }>

/**
 * Serves `/inbound/<route>/…`: requests of carriers, such as receipts over HTTP. The kind of connector verifies and reads
 * the request; its receipts and replies are durable before the response is sent, as for those over a link. If they cannot
 * be stored the response is 503, so that the carrier repeats the request. Needs no link.
 */
export function inboundRoutes(options: InboundRoutesOptions): FastifyPluginCallback {
  const { routes, onReceipt, onReply, metrics, log, createInbound: create = createInbound } = options
  const readers = new Map<string, Reader | UnreadableRoute>()

  function findReader(id: string): Reader | Pick<UnreadableRoute, 'response'> {
    if (!routes.loaded) return { response: unavailable }
    const route = routes.value.find((candidate) => candidate.id === id)
    if (route === undefined) {
      readers.delete(id)
      return { response: notFound }
    }
    const cached = readers.get(id)
    if (cached?.route === route && performance.now() - cached.createdAt < maxReaderAgeMs) return cached
    const reader = { route, createdAt: performance.now(), ...createReader(route) }
    readers.set(id, reader)
    return reader
  }

  /**
   * Creates the reader of a route. A failure is cached as long as a reader, because anyone may send requests.
   */
  function createReader(route: Route): Pick<Reader, 'read' | 'login'> | Pick<UnreadableRoute, 'response'> {
    try {
      const read = create(route.protocol, route.options)
      return read === undefined ? { response: notFound } : { read, login: digestLogin(route) }
    } catch (error) {
      log.error(
        { route: route.id, err: error as Error },
        'cannot read the options of a route; requests of its carrier get status 500. Correct the cause that the error names, or the route with `postern route put`',
      )
      return { response: failed }
    }
  }

  async function handle(reader: Reader, request: FastifyRequest): Promise<InboundResponse> {
    const { id } = reader.route
    const { receipts, replies = [], events = [], response } = reader.read(toInboundRequest(request))
    if (Math.max(receipts.length, replies.length) > maxInboundReceipts) return { status: 413 }
    for (const event of events) metrics.connectorEvents.inc({ route: id, event })
    try {
      await Promise.all([
        ...receipts.map((receipt) => onReceipt(id, receipt, reader.login)),
        ...replies.map((reply) => onReply(reader.route, reply, reader.login)),
      ])
    } catch (error) {
      log.warn(
        { route: id, requestId: request.id, err: error as Error },
        'cannot store receipts or replies of a carrier; the carrier got status 503 and sends them again. Check the broker and PostgreSQL',
      )
      return unavailable
    }
    return response
  }

  function send(routeId: string, reply: FastifyReply, response: InboundResponse): FastifyReply {
    // A path that names no route must not create a series.
    if (response.status !== 404 && routes.value.some(({ id }) => id === routeId))
      metrics.inboundRequests.inc({ route: routeId, status: response.status })
    return reply
      .code(response.status)
      .header('content-type', response.contentType ?? 'text/plain; charset=utf-8')
      .send(response.body ?? '')
  }

  /** Responds before the body is received if the route cannot be read. */
  async function onRequest(request: RouteRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const { routeId } = request.params
    const reader = findReader(routeId)
    return 'response' in reader ? await send(routeId, reply, reader.response) : undefined
  }

  async function serve(request: RouteRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { routeId } = request.params
    const reader = findReader(routeId)
    if ('response' in reader) return send(routeId, reply, reader.response)
    let response: InboundResponse
    try {
      response = await handle(reader, request)
    } catch (error) {
      log.error(
        { route: routeId, requestId: request.id, err: error as Error },
        'cannot read a request of a carrier; it got status 500. Check the options of the route with `postern route put`',
      )
      response = failed
    }
    return send(routeId, reply, response)
  }

  return (server, _options, done) => {
    // Errors of the body use plain HTTP statuses, because the codes of the API mean nothing to a carrier.
    server.setErrorHandler<{ readonly statusCode?: number }>((error, _request, reply) =>
      reply.code(error.statusCode ?? 500).send(''),
    )
    // Carriers send JSON, forms, XML and text with any content type, so the connector reads the bytes.
    server.removeAllContentTypeParsers()
    server.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: maxInboundBytes },
      (_request, body, next) => next(null, body),
    )
    const route = {
      method: ['GET', 'POST', 'PUT', 'DELETE'],
      bodyLimit: maxInboundBytes,
      onRequest,
      handler: serve,
    }
    server.route({ ...route, url: '/inbound/:routeId' })
    server.route({ ...route, url: '/inbound/:routeId/*' })
    done()
  }
}

const unavailable: InboundResponse = { status: 503 }
const notFound: InboundResponse = { status: 404 }
const failed: InboundResponse = { status: 500 }
/** Matches the route as it was sent; its characters may be encoded. */
const routeInPath = /^\/inbound\/[^/]*/

function toInboundRequest({ method, url, headers, body }: FastifyRequest): InboundRequest {
  const [path, query] = splitOnce(url, '?')
  const innerPath = path.replace(routeInPath, '')
  return {
    method,
    path: innerPath === '' ? '/' : innerPath,
    query: new URLSearchParams(query),
    headers,
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  }
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
