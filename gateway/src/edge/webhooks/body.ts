/** Bodies of pushes to webhooks: reports, notices and samples. */
import { Type, type Static } from 'typebox'
import { timeField } from '../../contract/response.ts'
import type { FormatTime } from '../../contract/times.ts'
import { toReplyRecord, type ReplyRow } from '../../records/replies/reply.ts'
import type { ReportWithMessage } from '../../records/reports/reported-message.ts'
import { toReportRecord, type RecordSettings } from '../../records/reports/report-record.ts'
import { disableReasons, type WebhookEvents } from './webhook.ts'

/** Adds milliseconds to a time format: `yyyy-MM-dd'T'HH:mm:ss.SSSXXX`. */
export function withMilliseconds(formatTime: FormatTime): FormatTime {
  return (time) => {
    const text = formatTime(time)
    return `${text.slice(0, 19)}.${time.toISOString().slice(20, 23)}${text.slice(19)}`
  }
}

export function reportBody(
  row: ReportWithMessage,
  formatPreciseTime: FormatTime,
  settings: RecordSettings,
): string {
  return JSON.stringify(toReportRecord(row, formatPreciseTime, settings))
}

/**
 * Returns the id by which receivers deduplicate: the same for all attempts and replays, different for each
 * step of a message.
 */
export function reportEventId(msgKey: string, step: number): string {
  return `${msgKey}-${step}`
}

/** Schema of a notice, in the format that Standard Webhooks recommends for events. */
export const Notice = Type.Object(
  {
    type: Type.Enum(['webhook.disabled'], { description: 'Kind of notice' }),
    timestamp: timeField('When it happened'),
    data: Type.Object(
      {
        webhookId: Type.String({ description: 'Id of the disabled webhook' }),
        url: Type.String({ description: 'Its URL without path and query' }),
        reason: Type.Enum(disableReasons, { description: 'Why it is disabled' }),
      },
      { additionalProperties: false, description: 'The disabled webhook' },
    ),
  },
  { additionalProperties: false, description: 'Another webhook of the account was disabled' },
)
export type Notice = Static<typeof Notice>

/** Returns a sample report or reply, for POST /v1/webhook/{id}/test and for the proof of a receiver. */
export function sampleBody(
  events: WebhookEvents,
  key: string,
  now: Date,
  formatPreciseTime: FormatTime,
  settings: RecordSettings,
): string {
  return events === 'reports'
    ? reportBody(testReport(key, now), formatPreciseTime, settings)
    : JSON.stringify(toReplyRecord(testReply(key, now), formatPreciseTime))
}

function testReply(replyKey: string, now: Date): ReplyRow {
  return {
    replyKey,
    serviceType: 'SMS',
    parts: 1,
    missing: 0,
    choice: null,
    sentAt: now,
    content: { from: '01012345678', to: '0212345678', kind: 'number', text: 'test' },
  }
}

function testReport(msgKey: string, now: Date): ReportWithMessage {
  return {
    msgKey,
    step: 1,
    message: { to: '01012345678', last: true },
    serviceType: 'SMS',
    msgType: 'SM',
    sentAt: now,
    reportedAt: now,
    reportCode: '10000',
    reportText: 'Delivered',
    carrier: '10000',
    parts: 1,
    ref: 'test',
  }
}
