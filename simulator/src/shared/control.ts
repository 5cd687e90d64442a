/**
 * HTTP control of a carrier, on loopback only: the requests of the SMSC control except hold and release, and those
 * that the carrier adds. Contains no logic.
 */
import { json } from './http-server.ts'
import type { HttpOutcome, HttpHandler, HttpRequest } from './http-server.ts'
import type { HttpCarrier } from './running-carrier.ts'
import type { LogEntry } from './received-log.ts'

/** Additional requests of the control server, by `METHOD /path`. */
export type ControlHandlers = Readonly<Record<string, (request: HttpRequest) => unknown>>

const DEFAULT_LIST = 1000

function listLimit(query: URLSearchParams): number {
  const limit = Number(query.get('limit') ?? DEFAULT_LIST)
  return Number.isInteger(limit) && limit > 0 ? limit : DEFAULT_LIST
}

export function controlHandler<Entry extends LogEntry>(
  carrier: HttpCarrier<Entry>,
  dropped: () => number,
  more: ControlHandlers,
): HttpHandler {
  const done = (): unknown => ({ ok: true })
  const handlers: ControlHandlers = {
    'GET /healthz': done,
    'GET /stats': () => carrier.stats(),
    'GET /submissions': ({ query }) => ({
      submissions: carrier.submissions(query.get('to') ?? undefined, listLimit(query)),
      dropped: dropped(),
    }),
    'GET /duplicates': () => ({ duplicates: carrier.duplicates(), dropped: dropped() }),
    'POST /reset': () => (carrier.reset(), done()),
    'POST /disconnect': () => ({ disconnected: carrier.disconnect() }),
    'POST /pause': () => (carrier.pause(), { paused: true }),
    'POST /resume': () => (carrier.resume(), { paused: false }),
    ...more,
  }
  return async (request): Promise<HttpOutcome> => {
    const handler = handlers[`${request.method} ${request.path}`]
    if (handler === undefined)
      return json(404, { error: 'endpoint not found', endpoints: Object.keys(handlers) })
    return json(200, await handler(request))
  }
}
