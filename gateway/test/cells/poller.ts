/** Polls the reports of an account, and notes those that arrive twice. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Envelope, PollAnswer } from '../support/processes/account-client.ts'
import type { SteadyClient } from './steady-client.ts'

/** Stores a batch, then deletes it. A batch that arrives again before its deletion was answered is the same batch. */
export class Poller {
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
    const { body } = await this.#client.ask<PollAnswer>(() => client.poll())
    if (body.data === undefined) throw new Error(`answered ${body.code} ${body.result}`)
    const { reportId, report } = body.data
    if (reportId === '') return false
    if (reportId === this.#deleted)
      this.findings.push(`polling: batch ${reportId} came again after its deletion`)
    if (reportId !== this.#stored) for (const { msgKey } of report) this.#take(msgKey)
    this.#stored = reportId
    const answer = await this.#client.ask<Envelope>(() => client.acknowledge(reportId))
    if (answer.body.code !== 'A000') throw new Error(`deleting a batch answered ${answer.body.code}`)
    this.#deleted = reportId
    return true
  }

  #take(msgKey: string): void {
    if (this.keys.has(msgKey)) this.findings.push(`polling: ${msgKey} came twice`)
    this.keys.add(msgKey)
  }
}
