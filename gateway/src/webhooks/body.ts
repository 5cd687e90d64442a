/** The bodies that are pushed: a report in the format of the API, with milliseconds in its times, or a notice. */
import type { FormatTime } from '../contract/times.ts'
import type { ReportRow } from '../records/reports/queries.ts'
import { toFoundRecord, type RecordSettings } from '../records/reports/report-record.ts'
import type { DisableReason } from './webhook.ts'

/** `yyyy-MM-dd'T'HH:mm:ss.SSSXXX`. */
export function withMilliseconds(formatTime: FormatTime): FormatTime {
  return (time) => {
    const text = formatTime(time)
    return `${text.slice(0, 19)}.${time.toISOString().slice(20, 23)}${text.slice(19)}`
  }
}

export function reportBody(row: ReportRow, formatPreciseTime: FormatTime, settings: RecordSettings): string {
  return JSON.stringify(toFoundRecord(row, formatPreciseTime, settings))
}

/** Receivers deduplicate by it: the same for all tries and replays, different for each step of a message. */
export function reportEventId(msgKey: string, step: number): string {
  return `${msgKey}-${step}`
}

/** In the format that Standard Webhooks recommends for events. */
export interface Notice {
  readonly type: 'webhook.disabled'
  readonly timestamp: string
  readonly data: { readonly webhookId: string; readonly url: string; readonly reason: DisableReason }
}

/** A sample report, for POST /v1/webhook/{id}/test. */
export function testReport(msgKey: string, now: Date): ReportRow {
  return {
    msgKey,
    serviceType: 'SMS',
    msgType: 'SM',
    sentAt: now,
    reportedAt: now,
    reportCode: '10000',
    reportText: 'Delivered',
    carrier: '10000',
    parts: 1,
    ref: 'test',
    userType: null,
  }
}
