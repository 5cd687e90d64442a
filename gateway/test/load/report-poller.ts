/**
 * Polls and acknowledges an account's reports until it is stopped, and counts how often each message is
 * reported. A batch that is returned again because its acknowledgement failed counts once.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Use } from './steady-load.ts'

const idleMs = 50

export class ReportPoller {
  /**
   * Number of endings per message. The reports of all its steps are one ending and may arrive in two batches.
   */
  readonly counts = new Map<string, number>()
  readonly #codes = new Map<string, string[]>()
  /** Times at which batches arrived. */
  readonly moments: number[] = []
  readonly #use: Use
  readonly #known = new Set<string>()
  readonly #running: Promise<void>
  #stopping = false

  constructor(use: Use) {
    this.#use = use
    this.#running = this.#run()
  }

  /** Endings other than "delivered", by code. */
  get others(): ReadonlyMap<string, number> {
    const endings = [...this.#codes.values()].map((codes) => codes.at(-1)!).filter((code) => code !== '10000')
    return new Map([...Map.groupBy(endings, (code) => code)].map(([code, { length }]) => [code, length]))
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const response = await this.#use((client) => client.poll()).catch(() => undefined)
      const batch = response?.body.data
      if (batch === undefined || batch.reportId === '') {
        await pause(idleMs)
        continue
      }
      if (!this.#known.has(batch.reportId)) {
        this.#known.add(batch.reportId)
        this.moments.push(performance.now())
        for (const { msgKey, reportCode } of batch.report) this.#add(msgKey, reportCode)
      }
      await this.#use((client) => client.acknowledge(batch.reportId)).catch(() => undefined)
    }
  }

  /**
   * The last report of a message is that of its last step; a message that is closed twice has its code twice.
   */
  #add(msgKey: string, code: string): void {
    const codes = [...(this.#codes.get(msgKey) ?? []), code]
    this.#codes.set(msgKey, codes)
    this.counts.set(msgKey, codes.filter((one) => one === code).length)
  }
}
