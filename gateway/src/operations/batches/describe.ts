import { causeByCode, explainReportCode } from '../../channels/report-codes.ts'
import { koreanResultCodes } from '../../contract/result-codes-ko.ts'
import { isResultCode, resultCodes } from '../../contract/result-codes.ts'
import type { Queryable } from '../../platform/database/database.ts'
import {
  countWaitingLines,
  findBatchView,
  readBatchPace,
  type BatchView,
} from '../../records/batches/views.ts'
import { notFound } from '../errors.ts'
import { estimateEnd } from './expected-end.ts'

export async function requireBatch(database: Queryable, batchKey: string): Promise<BatchView> {
  const batch = await findBatchView(database, batchKey)
  if (batch === null) throw notFound('batch', batchKey)
  return batch
}

export function describeBatch(batch: BatchView) {
  const { lines, duplicates, refused, cancelled, messages, hoursFrom, hoursTo } = batch
  const closed = Object.entries(batch.outcomes)
  const delivered = sum(closed.filter(([code]) => isDelivered(code)))
  const failed = sum(closed) - delivered
  return {
    batchId: batch.batchKey,
    account: batch.clientId,
    ref: batch.ref,
    state: batch.state,
    lines,
    waiting: countWaitingLines(batch),
    duplicate: duplicates,
    refused,
    cancelled,
    messages,
    open: messages - delivered - failed,
    delivered,
    failed,
    createdAt: batch.createdAt,
    startAt: batch.startAt,
    startedAt: batch.startedAt,
    endBy: batch.endBy,
    endedAt: batch.endedAt,
    speed: batch.speed,
    hours:
      hoursFrom === null || hoursTo === null
        ? null
        : { from: hoursFrom.slice(0, 5), to: hoursTo.slice(0, 5) },
    duplicates: batch.dropDuplicates ? ('drop' as const) : ('keep' as const),
  }
}

interface DetailOptions {
  readonly language: 'en' | 'ko'
  readonly timeZone: string
  readonly now: Date
}

export async function describeBatchDetails(
  database: Queryable,
  batch: BatchView,
  { language, timeZone, now }: DetailOptions,
) {
  const described = describeBatch(batch)
  const { state, waiting, hours, startAt, speed } = described
  const perSecond = state === 'running' ? await readBatchPace(database, batch.id, now) : null
  const pace = perSecond ?? speed
  const isExpected = (state === 'running' || state === 'ready') && waiting > 0 && pace !== null
  return {
    ...described,
    codes: mostFirst(batch.codes).map(([code, lines]) => ({
      code,
      text: explainCode(code, language),
      lines,
    })),
    outcomes: mostFirst(batch.outcomes).map(([code, messages]) => {
      const { text = '', action = '' } = explainReportCode(code, language) ?? {}
      return { code, delivered: isDelivered(code), text, action, messages }
    }),
    perSecond,
    expectedEndAt: isExpected
      ? estimateEnd({ now, lines: waiting, perSecond: pace, hours: toWindow(hours), startAt, timeZone })
      : null,
    timeZone,
  }
}

function explainCode(code: string, language: DetailOptions['language']): string {
  if (!isResultCode(code)) return ''
  return (language === 'ko' ? koreanResultCodes : resultCodes)[code].cause
}

const isDelivered = (code: string): boolean => causeByCode.get(code) === 'delivered'

type Counts = readonly (readonly [code: string, count: number])[]

function sum(counts: Counts): number {
  return counts.reduce((total, [, count]) => total + count, 0)
}

function mostFirst(counts: Readonly<Record<string, number>>): Counts {
  return Object.entries(counts).sort(([, a], [, b]) => b - a)
}

function toWindow(hours: { readonly from: string; readonly to: string } | null) {
  return hours === null ? null : { opensAt: toMinutes(hours.from), closesAt: toMinutes(hours.to) }
}

function toMinutes(time: string): number {
  const [hours, minutes] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}
