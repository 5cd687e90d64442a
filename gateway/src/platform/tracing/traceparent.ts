/** The header `traceparent` of W3C Trace Context, which clients send with a request and which a push carries. */
import type { SpanContext } from './span.ts'

/** Returns undefined for a malformed header, which is ignored. */
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

/** Version 00 has 55 characters; later versions may have more. */
const maxLength = 256

/** Sets the flag `sampled`, because only sampled messages have a span. */
export function formatTraceparent({ traceId, spanId }: SpanContext): string {
  return `00-${traceId}-${spanId}-01`
}
