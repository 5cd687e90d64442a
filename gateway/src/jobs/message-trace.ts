/**
 * The trace of one message, from accept to the push of its report: its spans, their parents and attributes.
 * The stages call it when a part of the work is done. Every id is derived from the msgKey, so that no context
 * travels with jobs and rows: any process continues the trace, hours later and after a restart, and the
 * msgKey alone leads to the trace. The sampling decision also follows from the key.
 *
 * Attributes name the message, account, route, channel and codes. They contain no text, no phone number and
 * no reference of a client.
 */
import { hash, randomBytes } from 'node:crypto'
import { clock } from '../platform/time/clock.ts'
import type { Attributes, Span, SpanContext } from '../platform/tracing/span.ts'
import type { SpanSink } from '../platform/tracing/exporter.ts'
import { formatTraceparent, parseTraceparent } from '../platform/tracing/traceparent.ts'
import type { AcceptedJob, ReceiptJob, RouteJob } from './jobs.ts'
import type { StepKey } from './step-key.ts'

export interface PartOfStep extends StepKey {
  readonly part: number
}

/** The end of a step, and its cause. */
export interface StepEnd extends StepKey {
  readonly cause: string
}

interface Timed {
  /** The start according to `performance.now()`. */
  readonly startedMs: number
}

/** The random end of a msgKey has 13 characters; this many of them decide whether it is traced. */
const samplingDigits = 6
const samplingValues = 36 ** samplingDigits

export class MessageTrace {
  readonly #sink: SpanSink
  readonly #below: number

  /**
   * `ratio` is the fraction of all messages that is traced, from 0 to 1. It must be the same for all processes of a
   * cell.
   */
  constructor(sink: SpanSink, ratio: number) {
    this.#sink = sink
    this.#below = ratio * samplingValues
  }

  isTraced(msgKey: string): boolean {
    return Number.parseInt(msgKey.slice(-samplingDigits), 36) < this.#below
  }

  /**
   * Returns the labels that lead from a latency metric to the trace of the message, or no labels if it is not
   * traced.
   */
  exemplarLabels(msgKey: string): Readonly<Record<string, string>> {
    return this.isTraced(msgKey) ? { trace_id: toTraceId(msgKey) } : {}
  }

  /** Adds the span of an accepted message. `caller` is the header `traceparent` of the client's request. */
  addAccepted(job: AcceptedJob, channel: string, caller: string | undefined, { startedMs }: Timed): void {
    const { msgKey, accountId } = job
    if (!this.isTraced(msgKey)) return
    const times = timesSince(startedMs)
    const parent = parseTraceparent(caller)
    const accept = toSpanContext(msgKey, 'accept')
    const attributes = { 'postern.account': accountId, 'postern.channel': channel }
    const shared = { ...times, kind: 'server' as const, attributes: { ...keyOf(msgKey), ...attributes } }
    if (parent === undefined) return this.#sink.add({ ...accept, ...shared, name: 'accept' })
    // Adds one span to the client's trace, and a link in both directions: a message can live for days, and a
    // request can contain many.
    const request: SpanContext = { traceId: parent.traceId, spanId: toSpanId(msgKey, 'request') }
    this.#sink.add({ ...request, ...shared, name: 'send', parentId: parent.spanId, links: [accept] })
    this.#sink.add({ ...accept, ...shared, name: 'accept', links: [request] })
  }

  /** Adds the span of the recording. `routeId` is undefined if the step waits or has failed. */
  addRecorded(job: AcceptedJob, routeId: string | undefined, batchSize: number, { startedMs }: Timed): void {
    const { msgKey, accountId } = job
    if (!this.isTraced(msgKey)) return
    this.#add(msgKey, ['intake'], {
      ...timesSince(startedMs),
      name: 'intake',
      kind: 'consumer',
      parentId: toSpanId(msgKey, 'accept'),
      attributes: { 'postern.account': accountId, 'postern.route': routeId, 'postern.batch_size': batchSize },
    })
  }

  /** Adds the span of a step whose parts all have a response; `outcome` is the worst one. */
  addDispatched(job: RouteJob, routeId: string, outcome: string, { startedMs }: Timed): void {
    const { msgKey, step, try: nth, heldAt, releasedAt, accountId } = job
    if (!this.isTraced(msgKey)) return
    const parentId = step === 1 ? toSpanId(msgKey, 'intake') : toSpanId(msgKey, 'step', step)
    const attributes = { ...stepAttributes(job), 'postern.account': accountId, 'postern.route': routeId }
    const times = timesSince(startedMs)
    if (heldAt !== undefined) {
      const reason = { 'postern.reason': job.heldWhy }
      this.#add(msgKey, ['wait', step, nth], {
        name: 'wait',
        kind: 'internal',
        parentId,
        attributes: { ...attributes, ...reason },
        startMs: heldAt,
        endMs: releasedAt ?? times.startMs,
      })
    }
    this.#add(msgKey, ['dispatch', step, nth], {
      ...times,
      name: 'dispatch',
      kind: 'consumer',
      parentId,
      attributes: { ...attributes, 'postern.channel': job.content.channel, 'postern.outcome': outcome },
      failed: outcome === 'refused',
    })
  }

  /**
   * Adds the span of a submission. `isFinal` is true if this response is recorded and a receipt belongs to
   * it; a repeated submission has its own span.
   */
  addSubmitted(
    part: PartOfStep,
    routeId: string,
    outcome: { readonly kind: string; readonly code?: string },
    { startedMs, isFinal }: Timed & { readonly isFinal: boolean },
  ): void {
    const { msgKey, step, try: nth } = part
    if (!this.isTraced(msgKey)) return
    const times = timesSince(startedMs)
    const attributes = {
      'postern.route': routeId,
      'postern.part': part.part,
      'postern.outcome': outcome.kind,
    }
    this.#add(msgKey, isFinal ? submitId(part) : ['submit', randomBytes(8).toString('hex')], {
      ...times,
      name: 'submit',
      kind: 'client',
      parentId: toSpanId(msgKey, 'dispatch', step, nth),
      attributes: { ...stepAttributes(part), ...attributes, 'postern.code': carrierCode(outcome.code) },
      failed: outcome.kind !== 'accepted',
    })
  }

  /** Adds the span of a receipt whose effect is committed. */
  addReceipt(part: PartOfStep, { routeId, cause, code, receivedAt }: ReceiptJob, result: string): void {
    const { msgKey } = part
    if (!this.isTraced(msgKey)) return
    const codes = { 'postern.cause': cause, 'postern.code': carrierCode(code), 'postern.result': result }
    this.#add(msgKey, receiptId(part), {
      name: 'receipt',
      kind: 'consumer',
      startMs: receivedAt,
      endMs: clock.now(),
      parentId: toSpanId(msgKey, ...submitId(part)),
      attributes: { ...stepAttributes(part), 'postern.route': routeId, 'postern.part': part.part, ...codes },
      failed: cause !== 'delivered',
    })
  }

  /**
   * Adds the span of a closed message whose report is written. `by` is the part whose receipt decided, if
   * any.
   */
  addReported(end: StepEnd, code: string, by: PartOfStep | undefined, { startedMs }: Timed): void {
    this.#addStepEnd(end, ['report'], { name: 'report', attributes: { 'postern.code': code } }, by, startedMs)
  }

  /** Adds the span of the next step of the flow. */
  addAdvanced(end: StepEnd, by: PartOfStep | undefined, { startedMs }: Timed): void {
    const next = end.step + 1
    const attributes = { 'postern.next_step': next }
    this.#addStepEnd(end, ['step', next], { name: 'next step', attributes }, by, startedMs)
  }

  #addStepEnd(
    end: StepEnd,
    id: readonly (string | number)[],
    { name, attributes }: Pick<Span, 'name' | 'attributes'>,
    by: PartOfStep | undefined,
    startedMs: number,
  ): void {
    const { msgKey, step, cause } = end
    if (!this.isTraced(msgKey)) return
    const before = step === 1 ? toSpanId(msgKey, 'intake') : toSpanId(msgKey, 'step', step)
    this.#add(msgKey, id, {
      ...timesSince(startedMs),
      name,
      kind: 'internal',
      parentId: by === undefined ? before : toSpanId(msgKey, ...receiptId(by)),
      attributes: { ...stepAttributes(end), 'postern.cause': cause, ...attributes },
      failed: cause !== 'delivered',
    })
  }

  /**
   * Returns the header of a push, so that its receiver can continue the trace; undefined if the message is
   * not traced.
   */
  toTraceparent(push: PushKey): string | undefined {
    if (!this.isTraced(push.msgKey)) return undefined
    return formatTraceparent(toSpanContext(push.msgKey, ...pushId(push)))
  }

  /** Adds the span of a push to a webhook, acknowledged or not. */
  addPushed(
    push: PushKey,
    { httpStatus, isAcknowledged }: { readonly httpStatus: number | null; readonly isAcknowledged: boolean },
    { startedMs }: Timed,
  ): void {
    const { msgKey, webhookId, tries } = push
    if (!this.isTraced(msgKey)) return
    const times = timesSince(startedMs)
    const status = { 'http.response.status_code': httpStatus ?? undefined }
    this.#add(msgKey, pushId(push), {
      ...times,
      name: 'webhook push',
      kind: 'client',
      parentId: toSpanId(msgKey, 'report'),
      attributes: { 'postern.webhook': webhookId, 'postern.try': tries + 1, ...status },
      failed: !isAcknowledged,
    })
  }

  #add(
    msgKey: string,
    id: readonly (string | number)[],
    span: Omit<Span, 'traceId' | 'spanId'> & { readonly parentId: string },
  ): void {
    const attributes = { ...keyOf(msgKey), ...span.attributes }
    this.#sink.add({ ...toSpanContext(msgKey, ...id), ...span, attributes })
  }
}

export interface PushKey {
  readonly msgKey: string
  readonly webhookId: string
  /** Failed pushes before this one. */
  readonly tries: number
}

/** Returns the first half of the SHA-256 of the msgKey: `printf %s KEY | sha256sum | cut -c1-32`. */
export function toTraceId(msgKey: string): string {
  return hash('sha256', msgKey, 'hex').slice(0, 32)
}

function toSpanId(msgKey: string, ...id: readonly (string | number)[]): string {
  return hash('sha256', `${msgKey}/${id.join('/')}`, 'hex').slice(0, 16)
}

function toSpanContext(msgKey: string, ...id: readonly (string | number)[]): SpanContext {
  return { traceId: toTraceId(msgKey), spanId: toSpanId(msgKey, ...id) }
}

const submitId = ({ step, try: nth, part }: PartOfStep) => ['submit', step, nth, part]
const receiptId = ({ step, try: nth, part }: PartOfStep) => ['receipt', step, nth, part]
const pushId = ({ webhookId, tries }: PushKey) => ['push', webhookId, tries]

/** Returns only values that look like a code, because a carrier could put a number or a text there. */
function carrierCode(code: string | undefined): string | undefined {
  if (code === undefined || !/^[\w.:-]{1,32}$/.test(code)) return undefined
  return /^0x[0-9a-f]{1,8}$/i.test(code) || !/\d{8}/.test(code) ? code : undefined
}

const keyOf = (msgKey: string): Attributes => ({ 'postern.msg_key': msgKey })

const stepAttributes = ({ step, try: nth }: Omit<StepKey, 'msgKey'>): Attributes => ({
  'postern.step': step,
  'postern.try': nth,
})

/** Uses the clock of the cell, so that spans of different hosts are in order. */
function timesSince(startedMs: number): Pick<Span, 'startMs' | 'endMs'> {
  const durationMs = performance.now() - startedMs
  const endMs = clock.now()
  return { startMs: endMs - durationMs, endMs }
}
