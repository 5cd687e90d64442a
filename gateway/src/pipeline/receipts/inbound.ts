/**
 * `/inbound/<route>/…`: requests of carriers, such as receipts over HTTP. The kind of connector verifies and reads the
 * request; its receipts are durable before the answer is sent, as with a receipt over a link. A request whose receipts
 * cannot be stored is answered with 503, so that the carrier repeats it. Needs no link.
 */
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import {
  maxInboundBytes,
  maxInboundReceipts,
  type Inbound,
  type InboundAnswer,
  type InboundRequest,
} from '../../connectors/kind.ts'
import { createInbound } from '../../connectors/registry.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { digestLogin } from '../../routes/logins.ts'
import type { Route } from '../../routes/route.ts'
import type { ReplySink } from './reply-sink.ts'
import type { ReceiptSink } from './receipts.ts'

export interface InboundOptions {
  /** All routes, disabled ones included: late receipts of a disabled route still count. */
  readonly routes: { readonly loaded: boolean; readonly value: readonly Route[] }
  readonly onReceipt: ReceiptSink
  readonly onReply: ReplySink
  /** Tests set their own. */
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

/** A route whose requests cannot be read. */
interface NoReader extends Omit<Reader, 'read' | 'login'> {
  readonly answer: InboundAnswer
}

/** After this long secrets in files are read again. */
const maxReaderAgeMs = 10_000

type RouteRequest = FastifyRequest<{ Params: { routeId: string } }>

export function inboundRoutes(options: InboundOptions): FastifyPluginCallback {
  const { routes, onReceipt, onReply, metrics, log, createInbound: create = createInbound } = options
  const readers = new Map<string, Reader | NoReader>()

  function findReader(id: string): Reader | Pick<NoReader, 'answer'> {
    if (!routes.loaded) return { answer: unavailable }
    const route = routes.value.find((candidate) => candidate.id === id)
    if (route === undefined) {
      readers.delete(id)
      return { answer: notFound }
    }
    const known = readers.get(id)
    if (known?.route === route && performance.now() - known.createdAt < maxReaderAgeMs) return known
    const reader = { route, createdAt: performance.now(), ...createReader(route) }
    readers.set(id, reader)
    return reader
  }

  /** A failure is remembered as long as a reader: anyone may send requests. */
  function createReader(route: Route): Pick<Reader, 'read' | 'login'> | Pick<NoReader, 'answer'> {
    try {
      const read = create(route.protocol, route.options)
      return read === undefined ? { answer: notFound } : { read, login: digestLogin(route) }
    } catch (error) {
      log.error(
        { route: route.id, err: error as Error },
        'cannot read the options of a route; requests of its carrier are answered with 500. Provide what the error names, or correct the route with `postern route put`',
      )
      return { answer: failed }
    }
  }

  async function handle(reader: Reader, request: FastifyRequest): Promise<InboundAnswer> {
    const { id } = reader.route
    const { receipts, replies = [], events = [], answer } = reader.read(toInboundRequest(request))
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
        'cannot store receipts or replies of a carrier; asked it to send them again. Check the broker and PostgreSQL',
      )
      return unavailable
    }
    return answer
  }

  function send(routeId: string, reply: FastifyReply, answer: InboundAnswer): FastifyReply {
    // A path that names no route must not create a series of its own.
    if (answer.status !== 404 && routes.value.some(({ id }) => id === routeId))
      metrics.inboundRequests.inc({ route: routeId, status: answer.status })
    return reply
      .code(answer.status)
      .header('content-type', answer.contentType ?? 'text/plain; charset=utf-8')
      .send(answer.body ?? '')
  }

  /** Runs before the body is received. */
  async function onRequest(request: RouteRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const { routeId } = request.params
    const reader = findReader(routeId)
    return 'answer' in reader ? await send(routeId, reply, reader.answer) : undefined
  }

  async function serve(request: RouteRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { routeId } = request.params
    const reader = findReader(routeId)
    if ('answer' in reader) return send(routeId, reply, reader.answer)
    let answer: InboundAnswer
    try {
      answer = await handle(reader, request)
    } catch (error) {
      log.error(
        { route: routeId, requestId: request.id, err: error as Error },
        'cannot read a request of a carrier; answered 500. Check the options of the route with `postern route put`',
      )
      answer = failed
    }
    return send(routeId, reply, answer)
  }

  return (server, _options, done) => {
    // A body that is too large or cannot be received, in the terms of HTTP: the codes of the API mean nothing to a carrier.
    server.setErrorHandler<{ readonly statusCode?: number }>((error, _request, reply) =>
      reply.code(error.statusCode ?? 500).send(''),
    )
    // Carriers send JSON, forms, XML and text under any name: the connector reads the bytes.
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

const unavailable: InboundAnswer = { status: 503 }
const notFound: InboundAnswer = { status: 404 }
const failed: InboundAnswer = { status: 500 }
/** The route in the path as it was sent: its characters may be encoded. */
const routeInPath = /^\/inbound\/[^/]*/

function toInboundRequest({ method, url, headers, body }: FastifyRequest): InboundRequest {
  const [path, query] = splitOnce(url, '?')
  const rest = path.replace(routeInPath, '')
  return {
    method,
    path: rest === '' ? '/' : rest,
    query: new URLSearchParams(query),
    headers,
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  }
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
