/** An HTTP webhook receiver for tests. Records every request and responds as configured. */
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

export interface WebhookReceiver {
  readonly url: string
  readonly received: readonly ReceivedWebhook[]
}

interface ReceiverAnswer {
  readonly status: number
  readonly body?: unknown
}

/** `answer` gets the number of requests received so far, including the current one. */
export async function startReceiver(
  t: TestContext,
  answer: (count: number) => ReceiverAnswer,
): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (text += chunk))
    request.once('end', () => {
      received.push({ headers: request.headers, body: JSON.parse(text) })
      const { status, body } = answer(received.length)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received }
}
