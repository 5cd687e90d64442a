import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export interface WebhookReceiver {
  readonly url: string
  /** Number of rejected pushes by msgKey. */
  readonly refused: ReadonlyMap<string, number>
  readonly acknowledged: ReadonlyMap<string, number>
  accept(): void
  close(): Promise<void>
}

/** Opens a webhook receiver that rejects all pushes until `accept` is called. */
export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const [refused, acknowledged] = [new Map<string, number>(), new Map<string, number>()]
  let counts = refused
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { msgKey } = body as { readonly msgKey?: string }
      if (msgKey !== undefined) counts.set(msgKey, (counts.get(msgKey) ?? 0) + 1)
      response.writeHead(counts === refused ? 503 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ msgKey }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/reports`,
    refused,
    acknowledged,
    accept() {
      counts = acknowledged
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
