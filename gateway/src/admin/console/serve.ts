/**
 * Serves the console on the port of the admin API: its files, and its index page for every other path
 * outside the API and /assets/, because the console evaluates the path itself. Requires no sign-in: the files
 * are the same for every user and contain no data.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { OperationError } from '../../operations/errors.ts'
import type { ConsoleFile, ConsoleFiles } from './files.ts'

/** Blocks third-party scripts, styles and images, inline code and framing. */
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
    const path = getPath(request.url)
    if (path === '/admin' || path.startsWith('/admin/')) {
      reply.callNotFound()
      return reply
    }
    const file = await files.find(path === '/' ? '/index.html' : path)
    if (file === null)
      throw new OperationError(
        'not-found',
        'the console is not built; run `npx vite build console`, or use the admin API at /admin/v1',
      )
    if (file !== undefined) return send(reply, file, request.headers['accept-encoding'])
    // Do not respond with a page for a missing asset: a browser would run it as a script.
    const page = path.startsWith('/assets/') ? undefined : await files.find('/index.html')
    if (page !== undefined && page !== null) return send(reply, page, request.headers['accept-encoding'])
    reply.callNotFound()
    return reply
  })
}

function getPath(url: string): string {
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
