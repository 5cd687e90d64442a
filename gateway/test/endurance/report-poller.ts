/**
 * Polls and acknowledges an account's reports until it is stopped, and counts how often each message is reported. A batch
 * that is returned again because its acknowledgement failed is the same batch.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Use } from './steady-load.ts'

const idleMs = 50

export class ReportPoller {
  /** How many times each message is reported; the reports of all its steps are one. */
  readonly counts = new Map<string, number>()
  /** Endings other than "delivered", by code. */
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
        for (const [msgKey, reports] of Map.groupBy(batch.report, (report) => report.msgKey)) {
          // That of the last step; a message that is closed twice has it twice.
          const ending = reports.at(-1)!.reportCode
          const times = reports.filter(({ reportCode }) => reportCode === ending).length
          this.counts.set(msgKey, (this.counts.get(msgKey) ?? 0) + times)
          if (ending !== '10000') this.others.set(ending, (this.others.get(ending) ?? 0) + 1)
        }
      }
      await this.#use((client) => client.acknowledge(batch.reportId)).catch(() => undefined)
    }
  }
}
