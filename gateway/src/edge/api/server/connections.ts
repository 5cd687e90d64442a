import type { FastifyInstance } from 'fastify'
import type { Server, Socket } from 'node:net'
import type { Log } from '../../../platform/logging/log.ts'
import { ThrottledLog } from '../../../platform/logging/throttled-log.ts'

const maxUnderWay = 64

/** Kept on the socket: this runs for every request, and a weak map is slower. */
const underWay = Symbol('requests under way')
type Counted = Socket & { [underWay]?: number }

/**
 * Closes connections with too many concurrent requests. Node starts all pipelined requests of a 64 KB chunk at
 * once, which may be hundreds, so a client that never reads would make the process hold their work and their
 * responses. Such a connection gets no error, because the errors would be held as well. Proxies, and clients that
 * wait for responses, have one request per connection in progress. Add this hook before others, so a request
 * beyond the limit costs nothing else.
 */
export function limitRequestsPerConnection(server: FastifyInstance, max = maxUnderWay): void {
  server.addHook('onRequest', (request, reply, done) => {
    const socket: Counted = request.raw.socket
    const inProgress = socket[underWay] ?? 0
    // Node reads a chunk to its end even if the connection is closed; the remaining requests, such as sends,
    // must not be processed.
    if (socket.destroyed || inProgress >= max) {
      socket.destroy()
      reply.hijack()
      return
    }
    // Each waiting request adds a listener for the end of its connection, and one of the admin API two.
    if (socket[underWay] === undefined) socket.setMaxListeners(max * 2 + 20)
    socket[underWay] = inProgress + 1
    reply.raw.once('close', () => socket[underWay]--)
    done()
  })
}

export function limitConnections(server: Server, max: number, log: Log): void {
  const rareLog = new ThrottledLog()
  server.maxConnections = max
  server.on('drop', () => {
    const suppressed = rareLog.due('drop')
    if (suppressed !== undefined)
      log.warn(
        { max, suppressed },
        'closed a new connection because the process has reached POSTERN_HTTP_CONNECTIONS; block the addresses that hold many, or raise the setting or add processes',
      )
  })
}
