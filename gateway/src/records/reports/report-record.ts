/** A report as the client reads it: its fields depend on the report keys of the account. */
import { Type, type Static } from 'typebox'
import type { AccountSettings } from '../../identity/accounts/account.ts'
import { reportOutcomes, toReportOutcome } from '../../channels/report-codes.ts'
import { timeField } from '../../contract/response.ts'
import type { FormatTime } from '../../contract/times.ts'
import type { ReportWithMessage } from './reported-message.ts'

/** Schema of a report code; `report-codes.ts` lists them all. */
export const reportCodeField = (description: string) => Type.String({ pattern: '^\\d{5}$', description })

export const ReportSchema = Type.Object(
  {
    msgKey: Type.String({ description: 'Key of the message' }),
    to: Type.Optional(
      Type.String({
        description:
          'Recipient; a Korean number in its domestic form. Absent once it is erased; only for accounts with full report keys',
      }),
    ),
    step: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Position of the step in the flow of the message; only for accounts with full report keys',
      }),
    ),
    last: Type.Optional(
      Type.Boolean({
        description:
          'Whether this report is the outcome of the message: false if the report of another step follows. Only for accounts with full report keys',
      }),
    ),
    serviceType: Type.String({
      description: 'SMS, MMS, INTERNATIONAL, RCS, ALIMTALK, FRIENDTALK or BRANDMESSAGE',
    }),
    msgType: Type.String({ description: 'Kind of message within the service, such as SM, LM, AT or FI' }),
    sendTime: Type.Optional(
      timeField(
        'When it was submitted to the carrier, or when it ended without a submission; absent for accounts with minimal report keys',
      ),
    ),
    reportTime: timeField('When its outcome was known'),
    reportType: Type.String({ description: 'Kind of report: 0' }),
    reportCode: reportCodeField('Result of the step'),
    outcome: Type.Optional(
      Type.Enum(reportOutcomes, {
        description:
          'What became of the step. unknown: it may have been delivered, and sending it again may deliver it twice. Only for accounts with full report keys',
      }),
    ),
    reportText: Type.String({ description: 'What reportCode means' }),
    carrier: Type.String({
      description: 'Mobile carrier: 10001 SKT, 10002 KT, 10003 LGU; 10000 another or unknown',
    }),
    resCnt: Type.Optional(
      Type.String({
        description:
          'Number of parts an international message was split into; only for accounts with part counts enabled, and not with minimal report keys',
      }),
    ),
    userType: Type.Optional(
      Type.String({
        description:
          'Inquiry only, basic brand messages only: F when the recipient was a friend of the channel, else N. Absent for accounts with minimal report keys',
      }),
    ),
    ref: Type.String({ description: 'ref of the send; empty when it had none' }),
  },
  { additionalProperties: false, description: 'The outcome of one step of a message' },
)
export type ReportRecord = Static<typeof ReportSchema>

export type RecordSettings = Pick<AccountSettings, 'partCounts' | 'reportKeys'>

export function toReportRecord(
  row: ReportWithMessage,
  formatTime: FormatTime,
  { partCounts, reportKeys }: RecordSettings,
): ReportRecord {
  const full = reportKeys === 'full'
  const minimal = reportKeys === 'minimal'
  return {
    msgKey: row.msgKey,
    ...(full ? { step: row.step, ...row.message } : {}),
    serviceType: row.serviceType,
    msgType: row.msgType,
    ...(minimal ? {} : { sendTime: formatTime(row.sentAt) }),
    reportTime: formatTime(row.reportedAt),
    reportType: '0',
    reportCode: row.reportCode,
    ...(full ? { outcome: toReportOutcome(row.reportCode) } : {}),
    reportText: row.reportText,
    carrier: row.carrier,
    ...(!minimal && partCounts && row.serviceType === 'INTERNATIONAL' ? { resCnt: String(row.parts) } : {}),
    ref: row.ref ?? '',
  }
}

export function toInquiryRecord(
  row: ReportWithMessage,
  formatTime: FormatTime,
  settings: RecordSettings,
): ReportRecord {
  const record = toReportRecord(row, formatTime, settings)
  const { userType, serviceType } = row
  // The contract defines userType for brand messages only, although carriers report it for others.
  if (settings.reportKeys === 'minimal' || serviceType !== 'BRANDMESSAGE') return record
  if (userType === undefined || userType === null) return record
  return { ...record, userType }
}
