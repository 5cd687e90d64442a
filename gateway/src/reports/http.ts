/** GET and DELETE /v1/report/polling, GET /v1/report/inquiry/{msgKey}. */
import { Type } from 'typebox'
import type { FastifyPluginCallback, FastifyRequest } from 'fastify'
import type { Account } from '../accounts/account.ts'
import type { Database } from '../platform/database.ts'
import { isMsgKey } from '../platform/keys.ts'
import { Problem } from '../platform/problem.ts'
import type { FormatTime } from '../platform/times.ts'
import { isReportId, pollReports } from './poll.ts'
import { acknowledgeBatch, findReports } from './queries.ts'
import { toRecord } from './record.ts'

export const inquiryLifetimeMs = 30 * 86_400_000

const text = Type.String()
const Report = Type.Object({
  msgKey: text,
  serviceType: text,
  msgType: text,
  sendTime: text,
  reportTime: text,
  reportType: text,
  reportCode: text,
  reportText: text,
  carrier: text,
  resCnt: Type.Optional(text),
  ref: text,
})
const Polled = Type.Object({
  code: text,
  result: text,
  data: Type.Object({ reportId: text, report: Type.Array(Report) }),
})
const Found = Type.Object({ code: text, result: text, data: Type.Object({ report: Type.Array(Report) }) })

export interface ReportRoutesOptions {
  readonly database: Database
  readonly formatTime: FormatTime
  readonly accountOf: (request: FastifyRequest) => Account
}

export function reportRoutes(options: ReportRoutesOptions): FastifyPluginCallback {
  const { database, formatTime, accountOf } = options

  function pollingAccount(request: FastifyRequest): Account {
    const account = accountOf(request)
    if (!account.mayPoll) throw new Problem('A802', 'No permission to Pull API')
    return account
  }

  return (server, _options, done) => {
    server.get('/v1/report/polling', { schema: { response: { 200: Polled } } }, async (request) => {
      const account = pollingAccount(request)
      const { reportId, rows } = await pollReports(database, account.id, new Date())
      const report = rows.map((row) => toRecord(row, formatTime, account.partCounts))
      return { code: 'A000', result: 'Success', data: { reportId, report } }
    })

    server.delete<{ Params: { reportId: string } }>('/v1/report/polling/:reportId', async (request) => {
      const account = pollingAccount(request)
      const { reportId } = request.params
      if (!isReportId(reportId) || !(await acknowledgeBatch(database, account.id, reportId))) {
        throw new Problem('A805', 'Invalid Report ID(Pull API)')
      }
      return { code: 'A000', result: 'Success' }
    })

    server.get<{ Params: { msgKey: string } }>(
      '/v1/report/inquiry/:msgKey',
      { schema: { response: { 200: Found } } },
      async (request) => {
        const account = accountOf(request)
        const { msgKey } = request.params
        const createdAfter = new Date(Date.now() - inquiryLifetimeMs)
        const rows = isMsgKey(msgKey) ? await findReports(database, account.id, msgKey, createdAfter) : []
        const report = rows.map((row) => toRecord(row, formatTime, account.partCounts))
        return { code: 'A000', result: 'Success', data: { report } }
      },
    )
    done()
  }
}
