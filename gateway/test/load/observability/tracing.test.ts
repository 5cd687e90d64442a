/**
 * With real processes and a collector, the trace of a message is complete from accept to webhook, even if the
 * worker is killed between submission and receipt. A failed collector delays no message.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { addCleanup } from '../../support/cleanup.ts'
import { startCollector, type CollectedSpan } from '../../support/collector.ts'
import { AccountClient, type SendResponse } from '../../support/processes/account-client.ts'
import { createAccount } from '../../support/processes/postern-command.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { assertWithin, waitFor } from '../../support/wait.ts'
import { toTraceId } from '../../../src/jobs/message-trace.ts'

const collector = await startCollector()
const receiver = createServer((request, response) => {
  pushes.push(String(request.headers['traceparent']))
  response.end()
}).listen(0, '127.0.0.1')
const pushes: string[] = []
await once(receiver, 'listening')
const base = await TestInstallation.open({
  POSTERN_OTLP_URL: collector.url,
  POSTERN_TRACE_RATIO: '1',
  POSTERN_WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
})
let failed = true
addCleanup(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await base.close(failed)
  await collector.close()
})
const simulator = await base.startSimulator('smsc', '--late-ms', '6000')
await base.putRoute({ id: 'texts', channels: ['sms'], simulator })
const credentials = await createAccount(base.environment, 'traced')
const [api, worker] = await Promise.all([
  base.startGateway('api', 'api'),
  base.startGateway('worker', 'worker'),
])
await Promise.all([api.untilReady(), worker.untilReady()])
const client = new AccountClient(api.url, credentials)
addCleanup(() => client.close())
await waitFor('the account to be known', async () => (await client.login()).httpStatus === 200)
const { port } = receiver.address() as AddressInfo
const hook = { url: `http://127.0.0.1:${port}/` }
const created = await client.call<{ code: string }>('POST', '/v1/webhook', JSON.stringify(hook))
assert.equal(created.body.code, 'A000', JSON.stringify(created.body))

async function send(to: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const body = JSON.stringify({ from: '0212345678', to, text: 'a secret text', ref: 'order 7' })
  const answer = await client.call<SendResponse>('POST', '/v1/send/sms', body, undefined, headers)
  assert.equal(answer.body.code, 'A000', answer.body.result)
  return answer.body.msgKey!
}

const spansOf = (msgKey: string): CollectedSpan[] =>
  collector.spans.filter(({ traceId }) => traceId === toTraceId(msgKey))
const find = (msgKey: string, name: string): CollectedSpan | undefined =>
  spansOf(msgKey).find((span) => span.name === name)
const waitForPush = (msgKey: string): Promise<CollectedSpan> =>
  waitFor('the push of the report', () => find(msgKey, 'webhook push'), { timeoutMs: 30_000 })
/** Each process exports its spans independently, so that some arrive after the push. */
async function waitForStages(msgKey: string): Promise<void> {
  const names = (): string[] => spansOf(msgKey).map(({ name }) => name)
  await waitFor('all stages', () => stageNames.every((name) => names().includes(name))).catch(
    (error: unknown) => {
      throw new Error(`found only ${names().join(', ')}`, { cause: error })
    },
  )
  assert.equal(names().length, stageNames.length, names().join(', '))
}

/** Returns the names from the root to the push. */
function ancestry(msgKey: string): string[] {
  const spans = new Map(spansOf(msgKey).map((span) => [span.spanId, span]))
  const names: string[] = []
  let span = find(msgKey, 'webhook push')
  while (span !== undefined) {
    names.unshift(span.name)
    span = spans.get(span.parentSpanId ?? '')
  }
  return names
}

const stageNames = ['accept', 'intake', 'dispatch', 'submit', 'receipt', 'report', 'webhook push']

// A message that arrives before the link is up waits for it, which is a separate stage.
await waitForPush(await send('01000001999'))

suite('the trace of a message', { concurrency: false }, () => {
  test('contains every stage from accept to webhook, each under the previous one', async () => {
    const msgKey = await send('01000001000')
    const push = await waitForPush(msgKey)
    await waitForStages(msgKey)
    assert.deepEqual(ancestry(msgKey), stageNames)
    const submit = find(msgKey, 'submit')!
    assert.equal(submit.attributes['postern.route'], 'texts')
    assert.equal(submit.attributes['postern.outcome'], 'accepted')
    assert.equal(find(msgKey, 'accept')!.resource['postern.role'], 'api')
    assert.equal(push.resource['postern.role'], 'worker')
    assert.ok(pushes.includes(`00-${push.traceId}-${push.spanId}-01`), 'the push carries its context')
    const starts = stageNames.map((name) => BigInt(find(msgKey, name)!.startTimeUnixNano))
    // The clocks of the processes follow PostgreSQL's with an error of half the duration of a query, which is
    // large on a busy machine.
    starts.slice(1).forEach((start, n) => assert.ok(start >= starts[n]! - 500_000_000n, stageNames[n + 1]))
  })

  test("continues a client's trace with a linked span", async () => {
    const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
    const msgKey = await send('01000001001', { traceparent: `00-${traceId}-${spanId}-01` })
    const request = await waitFor('the span of the request', () =>
      collector.spans.find((span) => span.traceId === traceId),
    )
    const accept = await waitFor('accept', () => find(msgKey, 'accept'))
    assert.equal(request.parentSpanId, spanId)
    assert.equal(request.links![0]!.spanId, accept.spanId)
    assert.equal(accept.links![0]!.traceId, traceId)
  })

  test('is complete when the worker is killed between submission and receipt', async () => {
    const msgKey = await send('01000000015')
    // Spans that the worker has not exported are lost with it.
    const exported = ['intake', 'dispatch', 'submit']
    await waitFor('the spans before the receipt', () =>
      exported.every((name) => find(msgKey, name) !== undefined),
    )
    const submit = find(msgKey, 'submit')!
    await worker.kill()
    worker.start()
    await worker.untilReady()
    const push = await waitForPush(msgKey)
    await waitForStages(msgKey)
    assert.deepEqual(ancestry(msgKey), stageNames)
    const instance = 'service.instance.id'
    assert.notEqual(push.resource[instance], submit.resource[instance])
    assert.equal(find(msgKey, 'receipt')!.resource[instance], push.resource[instance])
  })

  test('contains no text, number or reference of the client', () => {
    const exported = collector.bodies.join('\n')
    for (const secret of [
      'a secret text',
      '0212345678',
      '01000001000',
      '1000001000',
      '01000000015',
      'order 7',
    ])
      assert.ok(!exported.includes(secret), secret)
  })

  test('leaves exemplars in the metrics', async () => {
    const response = await fetch(`http://127.0.0.1:${api.opsPort}/metrics`)
    assert.match(response.headers.get('content-type')!, /^application\/openmetrics-text/)
    assert.match(
      await response.text(),
      /^postern_accept_duration_seconds_bucket.* # \{trace_id="[0-9a-f]{32}"\} \S+ \S+$/m,
    )
  })

  test('is dropped without delaying messages when the collector is down', async () => {
    collector.answer = 'hang'
    const before = pushes.length
    const started = performance.now()
    const keys = await Promise.all(Array.from({ length: 50 }, (_, n) => send(`0100000${2000 + n}`)))
    const acceptMs = performance.now() - started
    assertWithin('50 sends', acceptMs, 3_000)
    await waitFor('a push', () => pushes.length >= before + 1)
    for (const key of keys)
      await waitFor('a report', async () => ((await client.inquire(key)).body.data?.report.length ?? 0) > 0, {
        timeoutMs: 20_000,
      })
    failed = false
  })
})
