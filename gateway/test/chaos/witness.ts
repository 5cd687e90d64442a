/**
 * The account's poller, which survives whatever the run does: it asks, notes and acknowledges until it is
 * stopped. A batch handed out again before its acknowledgement arrived is the same batch, not a second report;
 * a message in two different batches is.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { AccountClient, Report } from '../harness/client.ts'
import { waitFor } from '../harness/wait.ts'
import type { Load } from './load.ts'

const idleMs = 50
const unavailableMs = 200

export interface Sighting {
  readonly report: Report
  readonly seenAt: number
}

export class Witness {
  readonly sightings = new Map<string, Sighting>()
  /** msgKeys that came in a second batch. */
  readonly doubled: string[] = []
  readonly #client: AccountClient
  readonly #batches = new Set<string>()
  #stopping = false
  #running: Promise<void> | undefined

  constructor(client: AccountClient) {
    this.#client = client
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#running
  }

  /** Resolves when a message sent after `since` was delivered and reported: accept, submit and report work. */
  async untilFlowing(load: Load, since: number, timeoutMs: number): Promise<number> {
    return waitFor(
      () => {
        for (const { report, seenAt } of this.sightings.values()) {
          const sentAt = load.sends.get(report.ref)?.sentAt ?? 0
          if (seenAt > since && sentAt > since && report.reportCode === '10000') return seenAt
        }
        return undefined
      },
      'a message accepted, submitted and reported',
      timeoutMs,
    )
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const answer = await this.#client.poll().catch(() => undefined)
      const batch = answer?.body.data
      if (batch === undefined) await pause(unavailableMs)
      else if (batch.reportId === '') await pause(idleMs)
      else {
        this.#note(batch.reportId, batch.report)
        await this.#client.acknowledge(batch.reportId).catch(() => undefined)
      }
    }
  }

  #note(reportId: string, reports: readonly Report[]): void {
    if (this.#batches.has(reportId)) return
    this.#batches.add(reportId)
    for (const report of reports) {
      if (this.sightings.has(report.msgKey)) this.doubled.push(report.msgKey)
      else this.sightings.set(report.msgKey, { report, seenAt: performance.now() })
    }
  }
}
