/** GET and DELETE /v1/report/polling, the report stream, and GET /v1/report/inquiry/{msgKey}. */
import { requireAccount } from '../../identity/accounts/request-account.ts'
import { Type } from 'typebox'
import type { FastifyPluginCallback } from 'fastify'
import { responseSchema } from '../../contract/response.ts'
import { clock } from '../../platform/time/clock.ts'
import { isMsgKey } from '../../contract/msg-key.ts'
import type { FormatTime } from '../../contract/times.ts'
import { feedRoutes, type FeedRouteContext } from '../feed/http.ts'
import { findMessageReports, reportFeed, type ReportRow } from './queries.ts'
import { ReportSchema, toInquiryRecord, toReportRecord } from './report-record.ts'
import { addMessages, findMessageState, messageStates, type ReportedState } from './reported-message.ts'

export const inquiryLifetimeMs = 30 * 86_400_000

export const ReportBatchResponse = responseSchema(
  {
    reportId: Type.String({ description: 'Acknowledges the batch; empty when there is nothing to report' }),
    report: Type.Array(ReportSchema, {
      description: 'Reports in order, at most 1000; empty when there are none',
    }),
  },
  'A batch of reports; the same one until it is acknowledged',
)
export const ReportStreamResponse = responseSchema(
  {
    cursor: Type.String({ description: 'Position to continue from; unchanged when there was no report' }),
    report: Type.Array(ReportSchema, { description: 'Reports in order; empty when there are none' }),
  },
  'Reports after the requested position',
)
export const InquiryResponse = Type.Object(
  {
    ...responseSchema(
      {
        report: Type.Array(ReportSchema, {
          description:
            'One report per step tried: the outcome of the message first, then the steps before it in order; empty while there is none',
        }),
      },
      'The reports of one message',
    ).properties,
    state: Type.Optional(
      Type.Enum(messageStates, {
        description:
          'open: in flight, without reports; also every key of the last day that is not recorded yet. closed: its outcome is final. unknown: the account has no such message. Only for accounts with full report keys',
      }),
    ),
  },
  { additionalProperties: false },
)

export interface ReportRoutesOptions extends FeedRouteContext {
  readonly formatTime: FormatTime
}

export function reportRoutes(options: ReportRoutesOptions): FastifyPluginCallback {
  const { database, formatTime } = options
  const pollAndStream = feedRoutes(options, {
    feed: reportFeed,
    pollPath: '/v1/report/polling',
    streamPath: '/v1/report/stream',
    pollResponse: ReportBatchResponse,
    streamResponse: ReportStreamResponse,
    batchField: 'reportId',
    rowsField: 'report',
    unknownBatchText: 'Invalid Report ID(Pull API)',
    linesCursorHeader: 'report-cursor',
    async toRecords(rows, account) {
      const reports = await addMessages(database, rows, () => account.reportKeys === 'full')
      return reports.map((row) => toReportRecord(row, formatTime, account))
    },
  })

  return (server, _options, done) => {
    server.register(pollAndStream)
    server.get<{ Params: { msgKey: string } }>(
      '/v1/report/inquiry/:msgKey',
      { schema: { response: { 200: InquiryResponse } } },
      async (request) => {
        const account = requireAccount(request)
        const { msgKey } = request.params
        const createdAfter = clock.cutoff(inquiryLifetimeMs)
        const isFull = account.reportKeys === 'full'
        const find = () => findMessageReports(database, account.id, msgKey, createdAfter)
        let rows = isMsgKey(msgKey) ? await find() : []
        let state: ReportedState = 'closed'
        if (isFull && rows.length === 0) {
          state = isMsgKey(msgKey) ? await findMessageState(database, account.id, msgKey) : 'unknown'
          // The message can have closed since its reports were read.
          if (state === 'closed') rows = await find()
        }
        const reports = await addMessages(database, outcomeFirst(rows), () => isFull)
        const report = reports.map((row) => toInquiryRecord(row, formatTime, account))
        return { code: 'A000', result: 'Success', data: { report }, ...(isFull ? { state } : {}) }
      },
    )
    done()
  }
}

/** The report of the last step comes first, because clients that send again after a failure read only one. */
function outcomeFirst(rows: readonly ReportRow[]): readonly ReportRow[] {
  return [...rows.slice(-1), ...rows.slice(0, -1)]
}
