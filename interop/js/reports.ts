/** Polling until every message sent is reported, acknowledging each batch; then the same by inquiry. */
import type { Polling, Report } from '@infobank/infobank-omni-sdk-js'
import { waitFor } from '../../gateway/test/support/wait.ts'
import { attempt, must } from './attempt.ts'

interface ReportFields {
  readonly msgKey: string
  readonly reportCode: string
}

interface Batch {
  readonly reportId: string
  readonly report: readonly ReportFields[]
}

const patienceMs = 20_000

export async function collectReports(
  polling: Polling,
  inquiry: Report,
  msgKeys: readonly string[],
): Promise<void> {
  const missing = new Set(msgKeys)
  const acknowledged: string[] = []
  await attempt(`polling and acknowledging ${msgKeys.length} reports`, async () => {
    await waitFor(
      'a report of every message',
      async () => {
        const { data } = await polling.getReport()
        const { reportId, report } = data as unknown as Batch
        for (const { msgKey, reportCode } of report) {
          must(reportCode === '10000', `${msgKey} ended with ${reportCode}`)
          must(missing.delete(msgKey), `${msgKey} was reported twice, or was never sent`)
        }
        if (report.length > 0) {
          must((await polling.deleteReport(reportId)).code === 'A000', `${reportId} not acknowledged`)
          acknowledged.push(reportId)
        }
        return missing.size === 0
      },
      { timeoutMs: patienceMs, everyMs: 100 },
    )
    must(acknowledged.length > 0, 'nothing to acknowledge')
  })
  await attempt('inquiry', async () => {
    for (const msgKey of msgKeys) {
      const { data } = await inquiry.getDetailReport(msgKey)
      const { report } = data as unknown as Batch
      must(report.length === 1 && report[0]?.reportCode === '10000', `${msgKey}: ${JSON.stringify(report)}`)
    }
  })
}
