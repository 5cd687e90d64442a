/** GET and DELETE /v1/report/polling, the report stream, and GET /v1/report/inquiry/{msgKey}. */
import { requireAccount } from '../../accounts/request-account.ts'
import { Type } from 'typebox'
import type { FastifyPluginCallback } from 'fastify'
import { answerWith } from '../../contract/answer.ts'
import { clock } from '../../platform/clock.ts'
import { reportOutcomes } from '../../channels/report-codes.ts'
import { isMsgKey } from '../../contract/msg-key.ts'
import type { FormatTime } from '../../contract/times.ts'
import { feedRoutes, type FeedContext } from '../feed/http.ts'
import { findReports, reportFeed } from './queries.ts'
import { toFoundRecord, toPolledRecord } from './report-record.ts'
import { addMessages } from './reported-message.ts'

export const inquiryLifetimeMs = 30 * 86_400_000

const time = (what: string) => Type.String({ description: `${what}: yyyy-MM-dd'T'HH:mm:ssXXX` })
export const Report = Type.Object(
  {
    msgKey: Type.String({ description: 'Key of the message' }),
    to: Type.Optional(
      Type.String({
        description:
          'Recipient; a Korean number in its domestic form. Absent once it is erased, and for accounts with plain report keys',
      }),
    ),
    step: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Position of the step in the flow of the message; absent for accounts with plain report keys',
      }),
    ),
    last: Type.Optional(
      Type.Boolean({
        description:
          'Whether this report is the outcome of the message: false if the report of another step follows. Absent for accounts with plain report keys',
      }),
    ),
    serviceType: Type.String({
      description: 'SMS, MMS, INTERNATIONAL, RCS, ALIMTALK, FRIENDTALK or BRANDMESSAGE',
    }),
    msgType: Type.String({ description: 'Kind of message within the service, such as SM, LM, AT or FI' }),
    sendTime: Type.Optional(
      time('When it was submitted to the carrier; absent for accounts with plain report keys'),
    ),
    reportTime: time('When its outcome was known'),
    reportType: Type.String({ description: 'Kind of report: 0' }),
    reportCode: Type.String({ description: 'Result of the step; `outcome` and the report codes explain it' }),
    outcome: Type.Optional(
      Type.Enum(reportOutcomes, {
        description:
          'What became of the step. unknown: it may have been delivered, and sending it again may deliver it twice. Absent for accounts with plain report keys',
      }),
    ),
    reportText: Type.String({ description: 'What reportCode means' }),
    carrier: Type.String({
      description: 'Mobile carrier: 10001 SKT, 10002 KT, 10003 LGU; 10000 another or unknown',
    }),
    resCnt: Type.Optional(
      Type.String({
        description:
          'Number of parts an international message was split into; only for accounts with part counts enabled',
      }),
    ),
    userType: Type.Optional(
      Type.String({
        description:
          'Inquiry only, basic brand messages only: F when the recipient was a friend of the channel, else N',
      }),
    ),
    ref: Type.String({ description: 'ref of the send; empty when it had none' }),
  },
  { additionalProperties: false, description: 'The outcome of one step of a message' },
)
export const PollAnswer = answerWith(
  {
    reportId: Type.String({
      description: 'Acknowledges the batch; empty when there is nothing to report',
    }),
    report: Type.Array(Report, { description: 'Reports in order, at most 1000; empty when there are none' }),
  },
  'A batch of reports; the same one until it is acknowledged',
)
export const StreamAnswer = answerWith(
  {
    cursor: Type.String({ description: 'Position to continue from; unchanged when there was no report' }),
    report: Type.Array(Report, { description: 'Reports in order; empty when there are none' }),
  },
  'Reports after the requested position',
)
export const InquiryAnswer = answerWith(
  {
    report: Type.Array(Report, {
      description: 'One report per step tried, in order; empty while there is none',
    }),
  },
  'The reports of one message',
)

export interface ReportRoutesOptions extends FeedContext {
  readonly formatTime: FormatTime
}

export function reportRoutes(options: ReportRoutesOptions): FastifyPluginCallback {
  const { database, formatTime } = options
  const pollAndStream = feedRoutes(options, {
    feed: reportFeed,
    pollPath: '/v1/report/polling',
    streamPath: '/v1/report/stream',
    pollAnswer: PollAnswer,
    streamAnswer: StreamAnswer,
    batchField: 'reportId',
    rowsField: 'report',
    unknownBatch: 'Invalid Report ID(Pull API)',
    linesCursorHeader: 'report-cursor',
    async toRecords(rows, account) {
      const reports = await addMessages(database, rows, () => account.reportKeys === 'full')
      return reports.map((row) => toPolledRecord(row, formatTime, account))
    },
  })

  return (server, _options, done) => {
    server.register(pollAndStream)
    server.get<{ Params: { msgKey: string } }>(
      '/v1/report/inquiry/:msgKey',
      { schema: { response: { 200: InquiryAnswer } } },
      async (request) => {
        const account = requireAccount(request)
        const { msgKey } = request.params
        const createdAfter = clock.cutoff(inquiryLifetimeMs)
        const rows = isMsgKey(msgKey) ? await findReports(database, account.id, msgKey, createdAfter) : []
        const reports = await addMessages(database, rows, () => account.reportKeys === 'full')
        const report = reports.map((row) => toFoundRecord(row, formatTime, account))
        return { code: 'A000', result: 'Success', data: { report } }
      },
    )
    done()
  }
}
