/** The header `traceparent` of W3C Trace Context: read from a client's request, and sent with a push. Pure. */
import type { SpanContext } from './span.ts'

/** Undefined when it is not well-formed: the request is then handled as one without it. */
export function parseTraceparent(header: string | undefined): SpanContext | undefined {
  if (header === undefined || header.length > maxLength) return undefined
  const match = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/.exec(header)
  if (match === null) return undefined
  const [version, traceId, spanId, more] = [match[1]!, match[2]!, match[3]!, match[4]]
  // Only a later version may have more fields.
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId }
}

/** Of version 00 it has 55 characters; a later version may add some. */
const maxLength = 256

/** With the flag `sampled`: it is written for sampled messages alone. */
export function formatTraceparent({ traceId, spanId }: SpanContext): string {
  return `00-${traceId}-${spanId}-01`
}
