/** A trace collector that accepts OTLP over HTTP as JSON and keeps the spans, or misbehaves on demand. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
  readonly status?: { readonly code: number }
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  /** Attributes of the exporting process. */
  readonly resource: Readonly<Record<string, string | number | boolean>>
}

type Encoded = readonly {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: string; readonly boolValue?: boolean }
}[]

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Encoded }
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'attributes'> & { readonly attributes: Encoded })[]
    }[]
  }[]
}

export interface Collector {
  readonly url: string
  readonly spans: CollectedSpan[]
  /** Raw request bodies. */
  readonly bodies: string[]
  /** Status of the next responses; `hang` sends none. */
  answer: number | 'hang'
  /** Maximum number of concurrent requests so far. */
  readonly mostAtOnce: number
  close(): Promise<void>
}

/** Port 0 chooses a free one. */
export async function startCollector(port = 0): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  let [open, most] = [0, 0]
  const server: Server = createServer((request, response) => {
    most = Math.max(most, ++open)
    response.on('close', () => open--)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (collector.answer === 'hang') return
      const body = Buffer.concat(chunks).toString()
      if (collector.answer === 200 && request.url === '/v1/traces') {
        bodies.push(body)
        spans.push(...read(JSON.parse(body) as Body))
      }
      response.writeHead(request.url === '/v1/traces' ? collector.answer : 404).end('{}')
    })
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    answer: 200,
    get mostAtOnce() {
      return most
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return collector
}

function read({ resourceSpans }: Body): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        attributes: decode(span.attributes),
        resource: decode(resource.attributes),
      })),
    ),
  )
}

function decode(attributes: Encoded): Record<string, string | number | boolean> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, boolValue } }) => [
      key,
      stringValue ?? boolValue ?? Number(intValue),
    ]),
  )
}
