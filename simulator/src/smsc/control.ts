/**
 * HTTP control of the SMSC, on loopback only: statistics, submissions, faults, reset. Contains no logic:
 * every operation is also a method of the object that startSmsc returns.
 */
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { Smsc } from './running-smsc.ts'

interface Reply {
  readonly httpStatus: number
  readonly body: unknown
}

type Handler = (smsc: Smsc, query: URLSearchParams) => unknown

const DEFAULT_LIST = 1000

function listLimit(query: URLSearchParams): number {
  const limit = Number(query.get('limit') ?? DEFAULT_LIST)
  return Number.isInteger(limit) && limit > 0 ? limit : DEFAULT_LIST
}

const endpoints: Record<string, Handler> = {
  'GET /healthz': () => ({ ok: true }),
  'GET /stats': (smsc) => smsc.stats(),
  'GET /submissions': (smsc, query) => ({
    submissions: smsc.submissions(query.get('to') ?? undefined, listLimit(query)),
    dropped: smsc.recordDropped(),
  }),
  'GET /duplicates': (smsc, query) => ({
    duplicates: smsc.duplicates({ ignoreRef: query.get('ignore') === 'ref' }),
    dropped: smsc.recordDropped(),
  }),
  'POST /reset': (smsc) => {
    smsc.reset()
    return { ok: true }
  },
  'POST /disconnect': (smsc) => ({ disconnected: smsc.disconnect() }),
  'POST /hold': (smsc) => {
    smsc.hold()
    return { holding: true }
  },
  'POST /release': (smsc) => {
    smsc.release()
    return { holding: false }
  },
  'POST /pause': (smsc) => {
    smsc.pause()
    return { paused: true }
  },
  'POST /resume': (smsc) => {
    smsc.resume()
    return { paused: false }
  },
}

function reply(smsc: Smsc, method: string, path: string): Reply {
  const url = URL.parse(path, 'http://localhost')
  const handler = endpoints[`${method} ${url?.pathname}`]
  if (url === null || handler === undefined) {
    return { httpStatus: 404, body: { error: 'endpoint not found', endpoints: Object.keys(endpoints) } }
  }
  const needsRecord = url.pathname === '/submissions' || url.pathname === '/duplicates'
  if (needsRecord && !smsc.recording) {
    return {
      httpStatus: 409,
      body: { error: 'submissions are not recorded; start the simulator with --record' },
    }
  }
  return { httpStatus: 200, body: handler(smsc, url.searchParams) }
}

export function createControl(smsc: Smsc): Server {
  return createServer((request, response) => {
    request.resume()
    const { httpStatus, body } = reply(smsc, request.method ?? 'GET', request.url ?? '/')
    response.writeHead(httpStatus, { 'content-type': 'application/json' })
    response.end(`${JSON.stringify(body)}\n`)
  })
}
