/**
 * A report as the client reads it. An account with plain report keys gets only the keys that every published client
 * knows; userType appears only in inquiries.
 */
import type { AccountSettings } from '../../accounts/account.ts'
import { toReportOutcome, type ReportOutcome } from '../../channels/report-codes.ts'
import type { FormatTime } from '../../contract/times.ts'
import type { ReportWithMessage } from './reported-message.ts'

export interface ReportRecord {
  readonly msgKey: string
  readonly to?: string
  readonly step?: number
  readonly last?: boolean
  readonly serviceType: string
  readonly msgType: string
  readonly sendTime?: string
  readonly reportTime: string
  readonly reportType: string
  readonly reportCode: string
  readonly outcome?: ReportOutcome
  readonly reportText: string
  readonly carrier: string
  readonly resCnt?: string
  readonly userType?: string
  readonly ref: string
}

export type RecordSettings = Pick<AccountSettings, 'partCounts' | 'reportKeys'>

export function toPolledRecord(
  row: ReportWithMessage,
  formatTime: FormatTime,
  { partCounts, reportKeys }: RecordSettings,
): ReportRecord {
  const full = reportKeys === 'full'
  return {
    msgKey: row.msgKey,
    ...(full ? { step: row.step, ...row.message } : {}),
    serviceType: row.serviceType,
    msgType: row.msgType,
    ...(full ? { sendTime: formatTime(row.sentAt) } : {}),
    reportTime: formatTime(row.reportedAt),
    reportType: '0',
    reportCode: row.reportCode,
    ...(full ? { outcome: toReportOutcome(row.reportCode) } : {}),
    reportText: row.reportText,
    carrier: row.carrier,
    ...(full && partCounts && row.serviceType === 'INTERNATIONAL' ? { resCnt: String(row.parts) } : {}),
    ref: row.ref ?? '',
  }
}

export function toFoundRecord(
  row: ReportWithMessage,
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
