import { isDeepStrictEqual } from 'node:util'
import type { AccountClient, Report } from '../support/processes/account-client.ts'
import { setTimeout as pause } from 'node:timers/promises'

const idleMs = 150
const maxBatch = 1000

/**
 * Polls and acknowledges reports until it is stopped. Findings are failed requests, duplicate reports, batches of a wrong
 * size, and batches that change before their acknowledgement.
 */
export class ReportCollector {
  readonly reports = new Map<string, Report>()
  readonly findings: string[] = []
  batches = 0
  readonly #client: AccountClient
  readonly #keyOf: (report: Report) => string
  #stopping = false
  #running: Promise<void> | undefined

  /** `keyOf` returns a key that is unique in the run. Default: the msgKey, for runs without flows. */
  constructor(client: AccountClient, keyOf = ({ msgKey }: Report): string => msgKey) {
    this.#client = client
    this.#keyOf = keyOf
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const { body, httpStatus } = await this.#client.poll()
      if (body.data === undefined) {
        this.findings.push(`polling failed: ${httpStatus} ${body.code} ${body.result}`)
        return
      }
      const { reportId, report } = body.data
      if (reportId === '') {
        if (report.length > 0) this.findings.push('polling returned reports without a reportId')
        await pause(idleMs)
        continue
      }
      this.batches++
      if (this.batches % 5 === 1) await this.#pollAgain(reportId, report)
      this.#store(report)
      const acknowledged = await this.#client.acknowledge(reportId)
      if (acknowledged.body.code !== 'A000')
        this.findings.push(`acknowledging failed: ${acknowledged.body.code}`)
      const twice = await this.#client.acknowledge(reportId)
      if (twice.body.code !== 'A805')
        this.findings.push(`acknowledging again: expected A805, got ${twice.body.code}`)
    }
  }

  async #pollAgain(reportId: string, report: readonly Report[]): Promise<void> {
    const { body } = await this.#client.poll()
    if (!isDeepStrictEqual(body.data, { reportId, report })) {
      this.findings.push(`batch ${reportId} was different when it was polled again`)
    }
  }

  #store(batch: readonly Report[]): void {
    if (batch.length === 0 || batch.length > maxBatch)
      this.findings.push(`a batch of ${batch.length} reports`)
    for (const report of batch) {
      const key = this.#keyOf(report)
      if (this.reports.has(key)) this.findings.push(`${key} was reported twice`)
      this.reports.set(key, report)
    }
  }
}
