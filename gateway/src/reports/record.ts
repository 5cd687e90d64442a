/** A report as the client reads it. */
import type { FormatTime } from '../platform/times.ts'
import type { ReportRow } from './queries.ts'

export interface ReportRecord {
  readonly msgKey: string
  readonly serviceType: string
  readonly msgType: string
  readonly sendTime: string
  readonly reportTime: string
  readonly reportType: string
  readonly reportCode: string
  readonly reportText: string
  readonly carrier: string
  readonly resCnt?: string
  readonly ref: string
}

export function toRecord(row: ReportRow, formatTime: FormatTime, partCounts: boolean): ReportRecord {
  return {
    msgKey: row.msgKey,
    serviceType: row.serviceType,
    msgType: row.msgType,
    sendTime: formatTime(row.sentAt),
    reportTime: formatTime(row.reportedAt),
    reportType: '0',
    reportCode: row.reportCode,
    reportText: row.reportText,
    carrier: row.carrier,
    ...(partCounts ? { resCnt: String(row.parts) } : {}),
    ref: row.ref ?? '',
  }
}
