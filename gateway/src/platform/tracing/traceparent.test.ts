import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatTraceparent, parseTraceparent } from './traceparent.ts'

const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']

test('parses its own output and later versions', () => {
  assert.deepEqual(parseTraceparent(formatTraceparent({ traceId, spanId })), { traceId, spanId })
  assert.deepEqual(parseTraceparent(`cc-${traceId}-${spanId}-00-what-comes`), { traceId, spanId })
})

test('ignores malformed headers', () => {
  for (const header of [
    undefined,
    '',
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-01-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
    `cc-${traceId}-${spanId}-00-${'x'.repeat(1_000)}`,
  ])
    assert.equal(parseTraceparent(header), undefined, header)
})
