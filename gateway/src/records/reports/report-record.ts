/**
 * A report as the client reads it. An account with plain report keys gets only the keys that every published client
 * knows; userType appears only in inquiries. Pure.
 */
import type { AccountSettings } from '../../accounts/account.ts'
import type { FormatTime } from '../../contract/times.ts'
import type { ReportRow } from './queries.ts'

export interface ReportRecord {
  readonly msgKey: string
  readonly serviceType: string
  readonly msgType: string
  readonly sendTime?: string
  readonly reportTime: string
  readonly reportType: string
  readonly reportCode: string
  readonly reportText: string
  readonly carrier: string
  readonly resCnt?: string
  readonly userType?: string
  readonly ref: string
}

export type RecordSettings = Pick<AccountSettings, 'partCounts' | 'reportKeys'>

export function toPolledRecord(
  row: ReportRow,
  formatTime: FormatTime,
  { partCounts, reportKeys }: RecordSettings,
): ReportRecord {
  const full = reportKeys === 'full'
  return {
    msgKey: row.msgKey,
    serviceType: row.serviceType,
    msgType: row.msgType,
    ...(full ? { sendTime: formatTime(row.sentAt) } : {}),
    reportTime: formatTime(row.reportedAt),
    reportType: '0',
    reportCode: row.reportCode,
    reportText: row.reportText,
    carrier: row.carrier,
    ...(full && partCounts ? { resCnt: String(row.parts) } : {}),
    ref: row.ref ?? '',
  }
}

export function toFoundRecord(
  row: ReportRow,
  formatTime: FormatTime,
  settings: RecordSettings,
): ReportRecord {
  const record = toPolledRecord(row, formatTime, settings)
  const { userType, serviceType } = row
  // The contract has it for brand messages only, whatever a carrier reports.
  if (settings.reportKeys === 'plain' || serviceType !== 'BRANDMESSAGE') return record
  if (userType === undefined || userType === null) return record
  return { ...record, userType }
}
