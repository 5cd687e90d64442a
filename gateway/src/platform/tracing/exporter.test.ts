/** Spans reach the collector in batches; without it nothing waits, nothing fails, and memory is limited. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { startCollector, type Collector } from '../../../test/support/collector.ts'
import { createMemoryLog } from '../../../test/support/memory-log.ts'
import { assertWithin, waitFor } from '../../../test/support/wait.ts'
import { SpanExporter, type ExporterOptions } from './exporter.ts'
import type { Span } from './span.ts'

const span = (n: number): Span => ({
  traceId: '1'.repeat(32),
  spanId: n.toString(16).padStart(16, '0'),
  name: `span ${n}`,
  kind: 'client',
  startMs: 1_700_000_000_000.25,
  endMs: 1_700_000_000_001.5,
  attributes: { 'postern.route': 'skt', 'postern.part': 2, absent: undefined },
})

function open(t: TestContext, url: string, limits: ExporterOptions['limits'] = {}) {
  const counts = { exported: 0, dropped: 0 }
  const { log, lines } = createMemoryLog()
  const exporter = new SpanExporter({
    url,
    log,
    resource: { 'service.name': 'postern' },
    // Requests and stops may take as long as a busy machine needs.
    limits: { delayMs: 10, closeMs: 10_000, requestMs: 10_000, ...limits },
    onResult: (result, spans) => void (counts[result] += spans),
  })
  t.after(() => exporter.close())
  return { exporter, counts, lines }
}

async function collect(t: TestContext): Promise<Collector> {
  const collector = await startCollector()
  t.after(() => collector.close())
  return collector
}

test('spans arrive as OTLP, several per request', async (t) => {
  const collector = await collect(t)
  const { exporter, counts } = open(t, `${collector.url}/`)
  for (let n = 1; n <= 5; n++) exporter.add({ ...span(n), parentId: 'a'.repeat(16), failed: n === 5 })
  await waitFor('the spans', () => counts.exported === 5)
  assert.equal(collector.bodies.length, 1)
  const [first, , , , last] = collector.spans
  assert.deepEqual(first, {
    traceId: '1'.repeat(32),
    spanId: '0000000000000001',
    parentSpanId: 'a'.repeat(16),
    name: 'span 1',
    kind: 3,
    startTimeUnixNano: '1700000000000250000',
    endTimeUnixNano: '1700000000001500000',
    attributes: { 'postern.route': 'skt', 'postern.part': 2 },
    resource: { 'service.name': 'postern' },
  })
  assert.deepEqual(last!.status, { code: 2 })
  assert.deepEqual(counts, { exported: 5, dropped: 0 })
})

test('a full batch is sent immediately, one request at a time', async (t) => {
  const collector = await collect(t)
  const { exporter } = open(t, collector.url, { batch: 10, delayMs: 60_000 })
  for (let n = 0; n < 100; n++) exporter.add(span(n))
  await waitFor('the spans', () => collector.spans.length === 100)
  assert.equal(collector.mostAtOnce, 1)
  assert.equal(collector.bodies.length, 10)
})

test('spans beyond the queue are dropped without a collector, and logged once', async (t) => {
  const unavailable = await startCollector()
  await unavailable.close()
  const { exporter, counts, lines } = open(t, unavailable.url, { queued: 50, batch: 10, closeMs: 200 })
  for (let n = 0; n < 60; n++) exporter.add(span(n))
  await waitFor('the failure', () => lines.length > 0)
  for (let n = 0; n < 1_000; n++) exporter.add(span(n))
  assert.deepEqual(counts, { exported: 0, dropped: 1_010 })
  assert.equal(lines.length, 1)
  assert.match(lines[0]!, /ECONNREFUSED.*Messages are not affected/)
  const started = performance.now()
  await exporter.close()
  assertWithin('a stop, which does not wait for the collector', performance.now() - started, 5_000)
  assert.equal(counts.dropped, 1_060)
})

test('spans that a busy collector refused are sent again', async (t) => {
  const collector = await collect(t)
  collector.answer = 503
  const { exporter, counts, lines } = open(t, collector.url)
  exporter.add(span(1))
  await waitFor('the refusal', () => lines.length > 0)
  collector.answer = 200
  await waitFor('the repeat', () => counts.exported === 1)
  assert.equal(counts.dropped, 0)
  assert.equal(collector.spans.length, 1)
})

test('permanently refused spans are dropped, and the next ones follow', async (t) => {
  const collector = await collect(t)
  collector.answer = 400
  const { exporter, counts } = open(t, collector.url)
  exporter.add(span(1))
  await waitFor('the refusal', () => counts.dropped === 1)
  collector.answer = 200
  exporter.add(span(2))
  await waitFor('the next span', () => counts.exported === 1)
  assert.equal(counts.dropped, 1)
  assert.equal(collector.spans[0]!.name, 'span 2')
})

test('a hanging collector is abandoned after the timeout, and a stop does not wait', async (t) => {
  const collector = await collect(t)
  collector.answer = 'hang'
  const { exporter, counts, lines } = open(t, collector.url, { closeMs: 200, requestMs: 300 })
  exporter.add(span(1))
  await waitFor('the timeout', () => lines.some((line) => line.includes('TimeoutError')))
  await exporter.close()
  assert.deepEqual(counts, { exported: 0, dropped: 1 })
})

test('a stop sends queued spans', async (t) => {
  const collector = await collect(t)
  const { exporter } = open(t, collector.url, { batch: 2, delayMs: 60_000 })
  for (let n = 0; n < 5; n++) exporter.add(span(n))
  await exporter.close()
  assert.equal(collector.spans.length, 5)
})
