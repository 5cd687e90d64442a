/** A webhook receiver on loopback: records every push unless `keep` is false, and responds as the test specifies. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook as Verifier } from 'standardwebhooks'

export interface Arrival {
  /** Time by performance.now(). */
  readonly at: number
  readonly path: string
  readonly eventId: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>> & { readonly msgKey: string }
  readonly raw: string
}

/** The body defaults to `{msgKey}`; null never responds. */
export type ReceiverResponse = {
  status: number
  body?: string
  headers?: Record<string, string>
  afterMs?: number
} | null

export interface Receiver {
  readonly url: string
  readonly arrivals: Arrival[]
  /** Can be replaced at any time; `undefined` responds with 200 and `{msgKey}`. */
  answer: (arrival: Arrival) => ReceiverResponse | undefined
  close(): Promise<void>
}

/** `keep` enables the recording of arrivals. */
export async function openReceiver(
  answer: Receiver['answer'] = () => undefined,
  keep = true,
): Promise<Receiver> {
  const arrivals: Arrival[] = []
  const server = createServer((request, response) => {
    read(request)
      .then((raw) => {
        const headers = request.headers as Record<string, string>
        const arrival: Arrival = {
          at: performance.now(),
          path: request.url ?? '',
          eventId: headers['webhook-id'] ?? '',
          headers,
          body: JSON.parse(raw) as Arrival['body'],
          raw,
        }
        if (keep) arrivals.push(arrival)
        reply(response, arrival, receiver.answer(arrival))
      })
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    answer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

function reply(response: ServerResponse, { body }: Arrival, answer: ReceiverResponse | undefined): void {
  if (answer === null) return
  const { status, body: text, headers, afterMs } = answer ?? { status: 200 }
  const send = (): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(text ?? (status === 200 ? JSON.stringify({ msgKey: body.msgKey }) : ''))
  }
  if (afterMs === undefined) send()
  else setTimeout(send, afterMs).unref()
}

/** Verifies the signature with the published library. */
export function isSigned(arrival: Arrival, secret: string): boolean {
  return verifies(new Verifier(secret), arrival)
}

export function verifies(verifier: Verifier, arrival: Arrival): boolean {
  try {
    verifier.verify(arrival.raw, { ...arrival.headers })
    return true
  } catch {
    return false
  }
}
