/** OpenMetrics has the same series as the text format, and exemplars beside the buckets of traced messages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from './metrics.ts'
import { acceptsOpenMetrics, writeOpenMetrics } from './open-metrics.ts'

const trace = 'a'.repeat(32)

test('an exemplar stands at the bucket of its value and series, with the time in seconds', async () => {
  const { registry, exemplars, ownLabels, submitSeconds, acceptSeconds } = createMetrics('07')
  submitSeconds.observe({ route: 'skt' }, 0.03)
  submitSeconds.observe({ route: 'kt' }, 0.03)
  acceptSeconds.observe(99)
  exemplars.keep('postern_submit_duration_seconds', { route: 'skt' }, 0.03, trace, 1_700_000_000.5)
  exemplars.keep('postern_accept_duration_seconds', {}, 99, trace, 1_700_000_000)
  const text = await writeOpenMetrics(registry, exemplars, ownLabels)
  const marked = text.split('\n').filter((line) => line.includes(' # {'))
  assert.deepEqual(marked.sort(), [
    `postern_accept_duration_seconds_bucket{le="+Inf",cell="07"} 1 # {trace_id="${trace}"} 99 1700000000.000`,
    `postern_submit_duration_seconds_bucket{le="0.05",route="skt",cell="07"} 1 # {trace_id="${trace}"} 0.03 1700000000.500`,
  ])
})

test('it has the series and values of the text format, and ends with its mark', async () => {
  const { registry, exemplars, accepted, ownLabels, answers } = createMetrics('07')
  accepted.inc({ channel: 'sms' }, 3)
  answers.inc({ status: 'a"b\\c\nd' })
  const open = await writeOpenMetrics(registry, exemplars, ownLabels)
  const samples = (text: string): string[] =>
    text
      .split('\n')
      .filter((line) => line.startsWith('postern_'))
      .map((line) => line.replace(/\{(.*)\}/, (_all, labels: string) => labels.split(',').sort().join()))
      .sort()
  assert.deepEqual(samples(open), samples(await registry.metrics()))
  assert.match(open, /^# TYPE postern_messages_accepted counter$/m)
  assert.match(open, /\n# EOF\n$/)
  assert.doesNotMatch(open, /\n\n/)
})

test('it is for scrapers that ask for it', () => {
  assert.equal(acceptsOpenMetrics('application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.3'), true)
  for (const accept of [undefined, '*/*', 'text/plain', 'application/openmetrics-text;q=0,text/plain'])
    assert.equal(acceptsOpenMetrics(accept), false, accept)
})
