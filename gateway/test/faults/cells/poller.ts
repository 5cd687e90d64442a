import { setTimeout as pause } from 'node:timers/promises'
import type { Envelope, PollResponse } from '../../support/processes/account-client.ts'
import type { SteadyClient } from './steady-client.ts'

/**
 * Polls, stores and deletes batches of reports and records duplicates. A batch redelivered before its
 * deletion is no duplicate.
 */
export class CellReportPoller {
  readonly keys = new Set<string>()
  readonly findings: string[] = []
  readonly #client: SteadyClient
  #stopping = false
  #running: Promise<void> = Promise.resolve()
  #stored = ''
  #deleted = ''

  constructor(client: SteadyClient) {
    this.#client = client
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
      try {
        if (!(await this.#poll())) await pause(50)
      } catch (error) {
        this.findings.push(`polling: ${(error as Error).message}`)
        await pause(200)
      }
    }
  }

  /** Returns false if there was no report. */
  async #poll(): Promise<boolean> {
    const { client } = this.#client
    const { body } = await this.#client.requestWithRetry<PollResponse>(() => client.poll())
    if (body.data === undefined) throw new Error(`polling failed: ${body.code} ${body.result}`)
    const { reportId, report } = body.data
    if (reportId === '') return false
    if (reportId === this.#deleted)
      this.findings.push(`polling: batch ${reportId} was returned after its deletion`)
    if (reportId !== this.#stored) for (const { msgKey } of report) this.#take(msgKey)
    this.#stored = reportId
    const response = await this.#client.requestWithRetry<Envelope>(() => client.acknowledge(reportId))
    if (response.body.code !== 'A000') throw new Error(`deleting a batch failed: ${response.body.code}`)
    this.#deleted = reportId
    return true
  }

  #take(msgKey: string): void {
    if (this.keys.has(msgKey)) this.findings.push(`polling: ${msgKey} was reported twice`)
    this.keys.add(msgKey)
  }
}
