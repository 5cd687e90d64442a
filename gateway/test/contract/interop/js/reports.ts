import type { Polling, Report } from '@infobank/infobank-omni-sdk-js'
import { waitFor } from '../../../support/wait.ts'
import { runOperation, assertThat } from './run-operation.ts'

interface ReportFields {
  readonly msgKey: string
  readonly reportCode: string
}

interface Batch {
  readonly reportId: string
  readonly report: readonly ReportFields[]
}

const pollTimeoutMs = 20_000

/** Polls and acknowledges until every message has a report, then reads the reports by inquiry. */
export async function collectSdkReports(
  polling: Polling,
  inquiry: Report,
  msgKeys: readonly string[],
): Promise<void> {
  const missing = new Set(msgKeys)
  const acknowledged: string[] = []
  await runOperation(`polling and acknowledging ${msgKeys.length} reports`, async () => {
    await waitFor(
      'a report of every message',
      async () => {
        const { data } = await polling.getReport()
        const { reportId, report } = data as unknown as Batch
        for (const { msgKey, reportCode } of report) {
          assertThat(reportCode === '10000', `${msgKey} ended with ${reportCode}`)
          assertThat(missing.delete(msgKey), `${msgKey} was reported twice, or was never sent`)
        }
        if (report.length > 0) {
          assertThat((await polling.deleteReport(reportId)).code === 'A000', `${reportId} not acknowledged`)
          acknowledged.push(reportId)
        }
        return missing.size === 0
      },
      { timeoutMs: pollTimeoutMs, everyMs: 100 },
    )
    assertThat(acknowledged.length > 0, 'nothing to acknowledge')
  })
  await runOperation('inquiry', async () => {
    for (const msgKey of msgKeys) {
      const { data } = await inquiry.getDetailReport(msgKey)
      const { report } = data as unknown as Batch
      assertThat(
        report.length === 1 && report[0]?.reportCode === '10000',
        `${msgKey}: ${JSON.stringify(report)}`,
      )
    }
  })
}
