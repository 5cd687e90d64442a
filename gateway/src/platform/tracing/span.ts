/** A finished span and its JSON form in OTLP/HTTP (opentelemetry-proto, trace/v1). */

/** Numbers of the span kinds in OTLP. */
export const spanKinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const

export type AttributeValue = string | number | boolean

export type Attributes = Readonly<Record<string, AttributeValue | undefined>>

/** The IDs of a span: 32 and 16 hexadecimal digits. */
export interface SpanContext {
  readonly traceId: string
  readonly spanId: string
}

export interface Span extends SpanContext {
  readonly parentId?: string | undefined
  readonly name: string
  readonly kind: keyof typeof spanKinds
  /** Milliseconds since 1970, with fractions. */
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Attributes
  readonly links?: readonly SpanContext[]
  readonly failed?: boolean
}

/** Returns the body of one request. `resource` has the attributes of this process. */
export function encodeSpans(resource: Attributes, spans: readonly Span[]): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: encodeAttributes(resource) },
        scopeSpans: [{ scope: { name: 'postern' }, spans: spans.map(encodeSpan) }],
      },
    ],
  })
}

const failedStatus = 2

function encodeSpan(span: Span) {
  const { traceId, spanId, parentId, name, kind, startMs, endMs, attributes, links, failed } = span
  return {
    traceId,
    spanId,
    name,
    kind: spanKinds[kind],
    ...(parentId === undefined ? {} : { parentSpanId: parentId }),
    startTimeUnixNano: toNanoseconds(startMs),
    // Some collectors refuse a span that ends before it starts, which a correction of the clock can cause.
    endTimeUnixNano: toNanoseconds(Math.max(startMs, endMs)),
    attributes: encodeAttributes(attributes),
    ...(links === undefined ? {} : { links }),
    ...(failed === true ? { status: { code: failedStatus } } : {}),
  }
}

/** Returns a string, because a JavaScript number of this size is not exact. */
function toNanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`
}

function encodeAttributes(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encodeValue(value) }],
  )
}

function encodeValue(value: AttributeValue) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
