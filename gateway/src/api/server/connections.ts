/**
 * Bounds the requests of one connection that are under way. Node reads requests that a client sends without waiting for answers by chunks
 * of 64 KB, which hold hundreds of them, and begins all of them at once: a client that never reads would have their work and their answers
 * held for it. A connection with more of them is closed: an answer to each would be held as well. Clients that wait for their answers, and
 * proxies, have one request of a connection under way.
 */
import type { FastifyInstance } from 'fastify'
import type { Server, Socket } from 'node:net'
import type { Log } from '../../platform/log.ts'
import { RareLog } from '../../platform/rare-log.ts'

const maxUnderWay = 64

/** On the connection itself: this runs for every request, and a weak map takes 46 ns instead of 10. */
const underWay = Symbol('requests under way')
type Counted = Socket & { [underWay]?: number }

/** Added before other hooks, so that a request beyond the bound costs nothing else. */
export function limitRequestsPerConnection(server: FastifyInstance, max = maxUnderWay): void {
  server.addHook('onRequest', (request, reply, done) => {
    const socket: Counted = request.raw.socket
    const before = socket[underWay] ?? 0
    // Node reads a chunk to its end although the connection is closed: nothing of the rest may be processed, such as a send.
    if (socket.destroyed || before >= max) {
      socket.destroy()
      reply.hijack()
      return
    }
    // Requests that wait listen to the end of their connection, one of the admin API twice.
    if (socket[underWay] === undefined) socket.setMaxListeners(max * 2 + 20)
    socket[underWay] = before + 1
    reply.raw.once('close', () => socket[underWay]--)
    done()
  })
}

export function limitConnections(server: Server, max: number, log: Log): void {
  const rareLog = new RareLog()
  server.maxConnections = max
  server.on('drop', () => {
    const suppressed = rareLog.due('drop')
    if (suppressed !== undefined)
      log.warn(
        { max, suppressed },
        'closed a new connection because the process has as many as POSTERN_HTTP_CONNECTIONS allows; block the addresses that hold many, or raise the setting or the number of processes',
      )
  })
}
