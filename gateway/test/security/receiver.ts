/** A webhook receiver for the attacks: records pushes, and by default responds as the contract requires. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface AttackArrival {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface AttackReceiver {
  readonly url: string
  readonly arrivals: readonly AttackArrival[]
  close(): void
}

/** With `redirect`, every request gets a 302 response to that URL. */
export async function openAttackReceiver(host = '127.0.0.2', redirect?: string): Promise<AttackReceiver> {
  const arrivals: AttackArrival[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      arrivals.push({ headers: request.headers, body })
      if (redirect !== undefined) {
        response.writeHead(302, { location: redirect }).end()
        return
      }
      const { msgKey } = JSON.parse(body === '' ? '{}' : body) as { msgKey?: string }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ msgKey }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host}:${port}/hook`,
    arrivals,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
