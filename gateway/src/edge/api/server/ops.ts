import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { clock } from '../../../platform/time/clock.ts'
import type { Metrics } from '../../../platform/metrics.ts'

/** Returns the dependencies of a role by name, each true while it works. */
export type Readiness = () => Record<string, boolean>

export interface OpsServer {
  readonly port: number
  close(): Promise<void>
}

/** More than the scrapers and probes of any monitoring need. */
const maxConnections = 100

/**
 * Starts the operations port of a role: `/livez` (the process responds), `/readyz` (it can do its work; the body has
 * the state of each dependency, the skew of the host's clock and the jump of PostgreSQL's) and `/metrics`.
 */
export async function startOps(
  host: string,
  port: number,
  readiness: Readiness,
  metrics: Metrics,
): Promise<OpsServer> {
  const server: Server = createServer({ requestTimeout: 30_000 }, (request, response) => {
    switch (request.url) {
      case '/livez':
        response.writeHead(200, { 'content-type': 'text/plain' }).end('alive\n')
        return
      case '/readyz': {
        const checks = readiness()
        const ready = Object.values(checks).every(Boolean)
        response.writeHead(ready ? 200 : 503, { 'content-type': 'application/json' })
        const [clockSkewSeconds, clockJumpSeconds] = [clock.skewMs, clock.jumpMs].map(toSeconds)
        response.end(`${JSON.stringify({ ready, checks, clockSkewSeconds, clockJumpSeconds })}\n`)
        return
      }
      case '/metrics':
        void metrics.registry.metrics().then((body) => {
          response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(body)
        })
        return
      default:
        response.writeHead(404, { 'content-type': 'text/plain' }).end('try /livez, /readyz or /metrics\n')
    }
  })
  server.maxConnections = maxConnections
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function toSeconds(ms: number): number {
  return Math.round(ms) / 1000
}
