/** A receiver of webhooks for the attacks: keeps what arrives, and answers as the contract asks unless told otherwise. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Arrival {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Receiver {
  readonly url: string
  readonly arrivals: readonly Arrival[]
  close(): void
}

/** `redirect`: every request is answered with 302 to it. */
export async function openReceiver(host = '127.0.0.2', redirect?: string): Promise<Receiver> {
  const arrivals: Arrival[] = []
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
