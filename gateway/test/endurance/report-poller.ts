/**
 * Polls and acknowledges an account's reports until it is stopped, and counts the reports of each message. A batch
 * that is returned again because its acknowledgement failed is the same batch.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Use } from './steady-load.ts'

const idleMs = 50

export class ReportPoller {
  /** How many reports each msgKey has. */
  readonly counts = new Map<string, number>()
  /** Reports other than "delivered", by code. */
  readonly others = new Map<string, number>()
  /** When batches arrived. */
  readonly moments: number[] = []
  readonly #use: Use
  readonly #known = new Set<string>()
  readonly #running: Promise<void>
  #stopping = false

  constructor(use: Use) {
    this.#use = use
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const answer = await this.#use((client) => client.poll()).catch(() => undefined)
      const batch = answer?.body.data
      if (batch === undefined || batch.reportId === '') {
        await pause(idleMs)
        continue
      }
      if (!this.#known.has(batch.reportId)) {
        this.#known.add(batch.reportId)
        this.moments.push(performance.now())
        for (const { msgKey, reportCode } of batch.report) {
          this.counts.set(msgKey, (this.counts.get(msgKey) ?? 0) + 1)
          if (reportCode !== '10000') this.others.set(reportCode, (this.others.get(reportCode) ?? 0) + 1)
        }
      }
      await this.#use((client) => client.acknowledge(batch.reportId)).catch(() => undefined)
    }
  }
}
