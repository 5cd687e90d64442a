import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { lostEnding } from './load.ts'

export interface ReferenceCarrier {
  readonly url: string
  /** Reports whether the carrier accepted a submission with this reference. */
  readonly knows: (reference: string) => boolean
  /** Returns the number of submissions whose reference was submitted before. */
  readonly repeated: () => number
  close(): void
}

interface Message {
  readonly reference: string
  readonly to: string
}

/**
 * Opens the carrier of `reference-provider.ts`. It accepts every message, loses some responses and sends no
 * receipts.
 */
export async function openReferenceCarrier(): Promise<ReferenceCarrier> {
  const messages = new Map<string, Message>()
  let repeated = 0
  const server = createServer((request, response) => {
    if (request.method === 'GET') find(request, response)
    else void submit(request, response)
  })
  function find(request: IncomingMessage, response: ServerResponse): void {
    const found = messages.get(request.url!.split('/').at(-1)!)
    response.statusCode = found === undefined ? 404 : 200
    response.end(JSON.stringify({ id: `id-${found?.reference}`, to: found?.to }))
  }
  async function submit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const message = (await json(request)) as Message
    if (messages.has(message.reference)) repeated++
    messages.set(message.reference, message)
    if (message.to.endsWith(lostEnding)) request.socket.destroy()
    else response.end(JSON.stringify({ id: `id-${message.reference}` }))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    knows: (reference) => messages.has(reference),
    repeated: () => repeated,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
