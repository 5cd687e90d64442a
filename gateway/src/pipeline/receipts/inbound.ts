/**
 * `/inbound/<route>/…`: requests of carriers, such as receipts over HTTP. The kind of connector verifies and reads the
 * request; its receipts are durable before the answer is sent, as with a receipt over a link. A request whose receipts
 * cannot be stored is answered with 503, so that the carrier repeats it. Called by the API role; needs no link.
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
import type { ReceiptSink } from './receipts.ts'

export interface InboundOptions {
  /** All routes, disabled ones included: late receipts of a disabled route still count. */
  readonly routes: { readonly loaded: boolean; readonly value: readonly Route[] }
  readonly onReceipt: ReceiptSink
  /** That of the registry; tests give their own. */
  readonly createInbound?: typeof createInbound
  readonly metrics: Metrics
  readonly log: Log
}

interface Reader {
  readonly route: Route
  readonly createdAt: number
  readonly read: Inbound | undefined
  readonly login: string | undefined
}

/** After this long secrets in files are read again. */
const maxReaderAgeMs = 10_000

export function inboundRoutes(options: InboundOptions): FastifyPluginCallback {
  const { routes, onReceipt, metrics, log, createInbound: create = createInbound } = options
  const readers = new Map<string, Reader>()

  function readerOf(id: string): Reader | undefined {
    const route = routes.value.find((candidate) => candidate.id === id)
    if (route === undefined) {
      readers.delete(id)
      return undefined
    }
    const known = readers.get(id)
    if (known?.route === route && performance.now() - known.createdAt < maxReaderAgeMs) return known
    const reader = {
      route,
      createdAt: performance.now(),
      read: create(route.protocol, route.options),
      login: digestLogin(route),
    }
    readers.set(id, reader)
    return reader
  }

  async function handle(id: string, request: FastifyRequest): Promise<InboundAnswer> {
    if (!routes.loaded) return unavailable
    const reader = readerOf(id)
    if (reader?.read === undefined) return { status: 404 }
    const { receipts, events = [], answer } = reader.read(toInboundRequest(id, request))
    if (receipts.length > maxInboundReceipts) return { status: 413 }
    for (const event of events) metrics.connectorEvents.inc({ route: id, event })
    try {
      await Promise.all(receipts.map((receipt) => onReceipt(id, receipt, reader.login)))
    } catch (error) {
      log.warn(
        { route: id, err: error as Error },
        'cannot store receipts of a carrier; asked it to send them again. Check the broker',
      )
      return unavailable
    }
    return answer
  }

  async function serve(
    request: FastifyRequest<{ Params: { routeId: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { routeId } = request.params
    let answer: InboundAnswer
    try {
      answer = await handle(routeId, request)
    } catch (error) {
      log.error(
        { route: routeId, err: error as Error },
        'cannot read a request of a carrier; answered 500. Check the options of the route with `postern route put`',
      )
      answer = { status: 500 }
    }
    // A path that names no route must not create a series of its own.
    if (answer.status !== 404) metrics.inboundRequests.inc({ route: routeId, status: answer.status })
    return reply
      .code(answer.status)
      .header('content-type', answer.contentType ?? 'text/plain; charset=utf-8')
      .send(answer.body ?? '')
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
    const route = { method: ['GET', 'POST', 'PUT', 'DELETE'], bodyLimit: maxInboundBytes, handler: serve }
    server.route({ ...route, url: '/inbound/:routeId' })
    server.route({ ...route, url: '/inbound/:routeId/*' })
    done()
  }
}

const unavailable: InboundAnswer = { status: 503 }

function toInboundRequest(id: string, { method, url, headers, body }: FastifyRequest): InboundRequest {
  const [path, query] = splitOnce(url, '?')
  const rest = path.slice(`/inbound/${id}`.length)
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
