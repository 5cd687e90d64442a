/**
 * The trace of one message, from accept to the push of its report: which spans it has, their parents and attributes. The stages
 * call it when a part of the work is done. Every id is derived from the msgKey, so that no context travels with jobs and
 * rows: any process continues the trace, hours later and after a restart, and whoever has a msgKey has the id of its trace.
 * Whether a message is traced follows from its key, too (ADR 45).
 *
 * Attributes name the message, account, route, channel and codes. No text, no number of a person, no reference of a client.
 */
import { hash, randomBytes } from 'node:crypto'
import { clock } from '../platform/clock.ts'
import type { Attributes, Span, SpanContext } from '../platform/tracing/span.ts'
import type { SpanSink } from '../platform/tracing/exporter.ts'
import { formatTraceparent, parseTraceparent } from '../platform/tracing/traceparent.ts'
import type { AcceptedJob, ReceiptJob, RouteJob } from './jobs.ts'
import type { StepKey } from './step-key.ts'

export interface PartOfStep extends StepKey {
  readonly part: number
}

/** How a step ended, with the report code of its message or with the next step. */
export interface StepEnd extends StepKey {
  readonly cause: string
}

interface Timed {
  /** By `performance.now()`. */
  readonly startedMs: number
}

/** The random end of a msgKey has 13 characters; these decide whether it is traced. */
const samplingDigits = 6
const samplingValues = 36 ** samplingDigits

export class MessageTrace {
  readonly #sink: SpanSink
  readonly #below: number

  /** `ratio`: the part of all messages that is traced, from 0 to 1. It must be the same for all processes of a cell. */
  constructor(sink: SpanSink, ratio: number) {
    this.#sink = sink
    this.#below = ratio * samplingValues
  }

  isTraced(msgKey: string): boolean {
    return Number.parseInt(msgKey.slice(-samplingDigits), 36) < this.#below
  }

  /** Returns the labels that lead from a latency metric to the trace of the message; none if it is not traced. */
  exemplarLabels(msgKey: string): Readonly<Record<string, string>> {
    return this.isTraced(msgKey) ? { trace_id: traceIdOf(msgKey) } : {}
  }

  /** `caller`: the header `traceparent` of the client's request. */
  accepted(job: AcceptedJob, channel: string, caller: string | undefined, { startedMs }: Timed): void {
    const { msgKey, accountId } = job
    if (!this.isTraced(msgKey)) return
    const times = timesSince(startedMs)
    const parent = parseTraceparent(caller)
    const accept = contextOf(msgKey, 'accept')
    const attributes = { 'postern.account': accountId, 'postern.channel': channel }
    const shared = { ...times, kind: 'server' as const, attributes: { ...keyOf(msgKey), ...attributes } }
    if (parent === undefined) return this.#sink.add({ ...accept, ...shared, name: 'accept' })
    // One span in the client's trace, and a link both ways: a message lives for up to days, and a request may have many.
    const request: SpanContext = { traceId: parent.traceId, spanId: spanIdOf(msgKey, 'request') }
    this.#sink.add({ ...request, ...shared, name: 'send', parentId: parent.spanId, links: [accept] })
    this.#sink.add({ ...accept, ...shared, name: 'accept', links: [request] })
  }

  /** `routeId`: undefined when the step waits or has failed. */
  recorded(job: AcceptedJob, routeId: string | undefined, batchSize: number, { startedMs }: Timed): void {
    const { msgKey, accountId } = job
    if (!this.isTraced(msgKey)) return
    this.#add(msgKey, ['intake'], {
      ...{ ...timesSince(startedMs), name: 'intake', kind: 'consumer', parentId: spanIdOf(msgKey, 'accept') },
      attributes: {
        ...{ 'postern.account': accountId, 'postern.route': routeId, 'postern.batch_size': batchSize },
      },
    })
  }

  /** A step whose parts all have an answer; `outcome` of the worst. */
  dispatched(job: RouteJob, routeId: string, outcome: string, { startedMs }: Timed): void {
    const { msgKey, step, try: nth, heldAt, releasedAt, accountId } = job
    if (!this.isTraced(msgKey)) return
    const parentId = step === 1 ? spanIdOf(msgKey, 'intake') : spanIdOf(msgKey, 'step', step)
    const attributes = { ...stepOf(job), 'postern.account': accountId, 'postern.route': routeId }
    const times = timesSince(startedMs)
    if (heldAt !== undefined) {
      const reason = { 'postern.reason': job.heldWhy }
      this.#add(msgKey, ['wait', step, nth], {
        ...{ name: 'wait', kind: 'internal', parentId, attributes: { ...attributes, ...reason } },
        ...{ startMs: heldAt, endMs: releasedAt ?? times.startMs },
      })
    }
    this.#add(msgKey, ['dispatch', step, nth], {
      ...{ ...times, name: 'dispatch', kind: 'consumer', parentId },
      attributes: { ...attributes, 'postern.channel': job.content.channel, 'postern.outcome': outcome },
      failed: outcome === 'refused',
    })
  }

  /** `isFinal`: this answer is recorded, and a receipt belongs to it; a submission that is repeated is a span beside it. */
  submitted(
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
      ...{ ...times, name: 'submit', kind: 'client', parentId: spanIdOf(msgKey, 'dispatch', step, nth) },
      attributes: { ...stepOf(part), ...attributes, 'postern.code': carrierCode(outcome.code) },
      failed: outcome.kind !== 'accepted',
    })
  }

  /** A receipt whose effect is committed. */
  receipt(part: PartOfStep, { routeId, cause, code, receivedAt }: ReceiptJob, result: string): void {
    const { msgKey } = part
    if (!this.isTraced(msgKey)) return
    const codes = { 'postern.cause': cause, 'postern.code': carrierCode(code), 'postern.result': result }
    this.#add(msgKey, receiptId(part), {
      ...{ name: 'receipt', kind: 'consumer', startMs: receivedAt, endMs: clock.now() },
      parentId: spanIdOf(msgKey, ...submitId(part)),
      attributes: { ...stepOf(part), 'postern.route': routeId, 'postern.part': part.part, ...codes },
      failed: cause !== 'delivered',
    })
  }

  /** The message is closed and its report written. `by`: the part whose receipt decided, if one did. */
  reported(end: StepEnd, code: string, by: PartOfStep | undefined, { startedMs }: Timed): void {
    this.#ended(end, ['report'], { name: 'report', attributes: { 'postern.code': code } }, by, startedMs)
  }

  /** The next step of the flow is started instead. */
  advanced(end: StepEnd, by: PartOfStep | undefined, { startedMs }: Timed): void {
    const next = end.step + 1
    const attributes = { 'postern.next_step': next }
    this.#ended(end, ['step', next], { name: 'next step', attributes }, by, startedMs)
  }

  #ended(
    end: StepEnd,
    id: readonly (string | number)[],
    { name, attributes }: Pick<Span, 'name' | 'attributes'>,
    by: PartOfStep | undefined,
    startedMs: number,
  ): void {
    const { msgKey, step, cause } = end
    if (!this.isTraced(msgKey)) return
    const before = step === 1 ? spanIdOf(msgKey, 'intake') : spanIdOf(msgKey, 'step', step)
    this.#add(msgKey, id, {
      ...{ ...timesSince(startedMs), name, kind: 'internal' },
      parentId: by === undefined ? before : spanIdOf(msgKey, ...receiptId(by)),
      attributes: { ...stepOf(end), 'postern.cause': cause, ...attributes },
      failed: cause !== 'delivered',
    })
  }

  /** The header of a push, so that its receiver can continue the trace; undefined when the message is not traced. */
  traceparentOf(push: PushKey): string | undefined {
    if (!this.isTraced(push.msgKey)) return undefined
    return formatTraceparent(contextOf(push.msgKey, ...pushId(push)))
  }

  /** A push of the report to a webhook, acknowledged or not. */
  pushed(
    push: PushKey,
    { httpStatus, isAcknowledged }: { readonly httpStatus: number | null; readonly isAcknowledged: boolean },
    { startedMs }: Timed,
  ): void {
    const { msgKey, webhookId, tries } = push
    if (!this.isTraced(msgKey)) return
    const times = timesSince(startedMs)
    const status = { 'http.response.status_code': httpStatus ?? undefined }
    this.#add(msgKey, pushId(push), {
      ...{ ...times, name: 'webhook push', kind: 'client', parentId: spanIdOf(msgKey, 'report') },
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
    this.#sink.add({ ...contextOf(msgKey, ...id), ...span, attributes })
  }
}

export interface PushKey {
  readonly msgKey: string
  readonly webhookId: string
  /** Failed pushes before this one. */
  readonly tries: number
}

/** The first half of the SHA-256 of the msgKey: `printf %s KEY | sha256sum | cut -c1-32`. */
export function traceIdOf(msgKey: string): string {
  return hash('sha256', msgKey, 'hex').slice(0, 32)
}

function spanIdOf(msgKey: string, ...id: readonly (string | number)[]): string {
  return hash('sha256', `${msgKey}/${id.join('/')}`, 'hex').slice(0, 16)
}

function contextOf(msgKey: string, ...id: readonly (string | number)[]): SpanContext {
  return { traceId: traceIdOf(msgKey), spanId: spanIdOf(msgKey, ...id) }
}

const submitId = ({ step, try: nth, part }: PartOfStep) => ['submit', step, nth, part]
const receiptId = ({ step, try: nth, part }: PartOfStep) => ['receipt', step, nth, part]
const pushId = ({ webhookId, tries }: PushKey) => ['push', webhookId, tries]

/** A carrier chooses its codes, and could put a number or a text there: only what looks like a code is exported. */
function carrierCode(code: string | undefined): string | undefined {
  if (code === undefined || !/^[\w.:-]{1,32}$/.test(code)) return undefined
  return /^0x[0-9a-f]{1,8}$/i.test(code) || !/\d{8}/.test(code) ? code : undefined
}

const keyOf = (msgKey: string): Attributes => ({ 'postern.msg_key': msgKey })

const stepOf = ({ step, try: nth }: Omit<StepKey, 'msgKey'>): Attributes => ({
  'postern.step': step,
  'postern.try': nth,
})

/** By the clock of the cell, so that spans of different hosts stand in their order. */
function timesSince(startedMs: number): Pick<Span, 'startMs' | 'endMs'> {
  const durationMs = performance.now() - startedMs
  const endMs = clock.now()
  return { startMs: endMs - durationMs, endMs }
}
