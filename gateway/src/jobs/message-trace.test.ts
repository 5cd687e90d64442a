/**
 * The trace of a message: one tree whose ids every process derives independently, sampled by key, without
 * personal data.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMsgKey } from '../contract/msg-key.ts'
import type { Span } from '../platform/tracing/span.ts'
import type { AcceptedJob, ReceiptJob, RouteJob } from './jobs.ts'
import { MessageTrace, toTraceId } from './message-trace.ts'

const msgKey = createMsgKey('00', new Date('2026-01-02T03:04:05.678Z'))
const content = { channel: 'sms', from: '0212345678', text: 'a secret text' } as const
const accepted: AcceptedJob = {
  v: 1,
  msgKey,
  accountId: 7,
  acceptedAt: 1_000,
  to: '01012345678',
  ref: 'order 7',
  steps: [content],
}
const released: RouteJob = {
  v: 1,
  msgKey,
  accountId: 7,
  step: 1,
  try: 1,
  to: '01012345678',
  content,
  dueAt: 9_000,
  routeId: 'skt',
  lane: 'normal',
  heldWhy: 'backlog',
  heldAt: 1_500,
  releasedAt: 2_000,
}
const receipt: ReceiptJob = {
  v: 1,
  kind: 'receipt',
  routeId: 'skt',
  carrierId: 'carrier-1',
  result: 'delivered',
  cause: 'delivered',
  code: '000',
  recipient: '01012345678',
  at: 3_000,
  receivedAt: 3_000,
}
const part = { msgKey, step: 1, try: 1, part: 1 }
const end = { msgKey, step: 1, try: 1, cause: 'delivered' }
const push = { msgKey, webhookId: 'hook', tries: 0 }

function open(ratio = 1) {
  const spans: Span[] = []
  return { spans, trace: new MessageTrace({ add: (span) => spans.push(span) }, ratio) }
}

const now = () => ({ startedMs: performance.now() })

/** Runs every stage with a separate MessageTrace, as if in separate processes. */
function runAllStages(caller?: string): Span[] {
  const stages: ((trace: MessageTrace) => void)[] = [
    (trace) => trace.addAccepted(accepted, 'sms', caller, now()),
    (trace) => trace.addRecorded(accepted, 'skt', 12, now()),
    (trace) => trace.addSubmitted(part, 'skt', { kind: 'throttled' }, { ...now(), isFinal: false }),
    (trace) => trace.addSubmitted(part, 'skt', { kind: 'accepted' }, { ...now(), isFinal: true }),
    (trace) => trace.addDispatched(released, 'skt', 'accepted', now()),
    (trace) => trace.addReceipt(part, receipt, 'settled'),
    (trace) => trace.addReported(end, '10000', part, now()),
    (trace) => trace.addPushed(push, { httpStatus: 200, isAcknowledged: true }, now()),
  ]
  return stages.flatMap((stage) => {
    const { trace, spans } = open()
    stage(trace)
    return spans
  })
}

const tree = (spans: readonly Span[]): string[] => {
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]))
  return spans.map(({ name, parentId }) => `${names.get(parentId ?? '') ?? parentId ?? 'root'} > ${name}`)
}

test('the spans of all stages form one tree without passing context', () => {
  const spans = runAllStages()
  assert.deepEqual(tree(spans), [
    'root > accept',
    'accept > intake',
    'dispatch > submit',
    'dispatch > submit',
    'intake > wait',
    'intake > dispatch',
    'submit > receipt',
    'receipt > report',
    'report > webhook push',
  ])
  assert.deepEqual(new Set(spans.map(({ traceId }) => traceId)), new Set([toTraceId(msgKey)]))
  assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length)
  const [receiptSpan, finalSubmit] = [spans[6]!, spans[3]!]
  assert.equal(receiptSpan.parentId, finalSubmit.spanId)
})

test('a fallback is a child of the receipt of the failed step', () => {
  const { trace, spans } = open()
  trace.addReceipt(part, { ...receipt, cause: 'phone-off' }, 'settled')
  trace.addAdvanced({ ...end, cause: 'phone-off' }, part, now())
  trace.addDispatched(
    { ...released, step: 2, heldAt: undefined } as unknown as RouteJob,
    'kt',
    'accepted',
    now(),
  )
  trace.addReported({ ...end, step: 2, cause: 'timeout' }, '99999', undefined, now())
  assert.deepEqual(tree(spans).slice(1), [
    'receipt > next step',
    'next step > dispatch',
    'next step > report',
  ])
  assert.deepEqual(
    spans.map(({ failed }) => failed),
    [true, true, false, true],
  )
})

test("a client's trace gets one span that is linked with the message's trace", () => {
  const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  const [request, accept] = runAllStages(`00-${traceId}-${spanId}-00`)
  assert.deepEqual([request!.traceId, request!.parentId, request!.name], [traceId, spanId, 'send'])
  assert.deepEqual(request!.links, [{ traceId: accept!.traceId, spanId: accept!.spanId }])
  assert.deepEqual(accept!.links, [{ traceId, spanId: request!.spanId }])
  assert.deepEqual([accept!.traceId, accept!.parentId], [toTraceId(msgKey), undefined])
  assert.equal(runAllStages('no traceparent')[0]!.name, 'accept')
})

test('no text, number or client reference is exported', () => {
  const exported = JSON.stringify(runAllStages())
  for (const secret of ['a secret text', '01012345678', '1012345678', '0212345678', 'order 7', 'carrier-1'])
    assert.ok(!exported.includes(secret), secret)
})

test("a carrier's code is exported only if it looks like a code", () => {
  const { trace, spans } = open()
  for (const code of ['0x00000011', 'err:006', 'to 01012345678', '821012345678', 'x'.repeat(40)])
    trace.addReceipt(part, { ...receipt, code }, 'settled')
  assert.deepEqual(
    spans.map(({ attributes }) => attributes['postern.code']),
    ['0x00000011', 'err:006', undefined, undefined, undefined],
  )
})

test('a push of a traced message carries the context of its span', () => {
  const { trace, spans } = open()
  trace.addPushed(push, { httpStatus: null, isAcknowledged: false }, now())
  assert.equal(trace.toTraceparent(push), `00-${toTraceId(msgKey)}-${spans[0]!.spanId}-01`)
  assert.notEqual(trace.toTraceparent({ ...push, tries: 1 }), trace.toTraceparent(push))
  assert.equal(open(0).trace.toTraceparent(push), undefined)
})

test('every process samples the same messages for a ratio', () => {
  const keys = Array.from({ length: 20_000 }, () => createMsgKey('00', new Date()))
  const [none, tenth, again, all] = [0, 0.1, 0.1, 1].map((ratio) => open(ratio).trace)
  const traced = keys.filter((key) => tenth!.isTraced(key))
  assert.ok(Math.abs(traced.length - 2_000) < 250, `${traced.length} of 20,000`)
  assert.deepEqual(
    keys.filter((key) => again!.isTraced(key)),
    traced,
  )
  assert.equal(keys.filter((key) => none!.isTraced(key)).length, 0)
  assert.ok(keys.every((key) => all!.isTraced(key)))
})

test('exemplars name the trace of a traced message', () => {
  assert.deepEqual(open().trace.exemplarLabels(msgKey), { trace_id: toTraceId(msgKey) })
  assert.deepEqual(open(0).trace.exemplarLabels(msgKey), {})
})
