/**
 * Serves the console on the port of the admin API: its files, and its first page for every other path that is no path of the API, because
 * the console itself reads the address. Needs no sign-in: the files are the same for everybody and hold no data.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { OperationError } from '../../acts/errors.ts'
import type { ConsoleFile, ConsoleFiles } from './files.ts'

/** No script, style or image of others, nothing inline, no frame around it. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const aYear = 'public, max-age=31536000, immutable'

export function serveConsole(server: FastifyInstance, files: ConsoleFiles): void {
  server.get('/*', async (request, reply) => {
    const path = pathOf(request.url)
    if (path === '/admin' || path.startsWith('/admin/')) {
      reply.callNotFound()
      return reply
    }
    const file = await files.find(path === '/' ? '/index.html' : path)
    if (file === null)
      throw new OperationError(
        'not-found',
        'the console is not built; build it with `npm run console:build`, or use the admin API at /admin/v1',
      )
    if (file !== undefined) return send(reply, file, request.headers['accept-encoding'])
    // A missing file must not be answered with a page: a browser would run it as a script.
    const page = path.startsWith('/assets/') ? undefined : await files.find('/index.html')
    if (page !== undefined && page !== null) return send(reply, page, request.headers['accept-encoding'])
    reply.callNotFound()
    return reply
  })
}

function pathOf(url: string): string {
  const path = url.split(/[?#]/, 1)[0]!
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function send(reply: FastifyReply, file: ConsoleFile, accepted: string | undefined): FastifyReply {
  const zipped = file.gzip !== undefined && /\bgzip\b/.test(accepted ?? '')
  void reply
    .header('content-type', file.type)
    .header('cache-control', file.hashed ? aYear : 'no-cache')
    .header('vary', 'accept-encoding')
    .header('content-security-policy', contentSecurityPolicy)
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cross-origin-resource-policy', 'same-origin')
  if (zipped) void reply.header('content-encoding', 'gzip')
  return reply.send(zipped ? file.gzip : file.content)
}
