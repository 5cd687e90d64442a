import { setTimeout as pause } from 'node:timers/promises'
import type { Report } from '../../support/processes/account-client.ts'
import { waitFor } from '../../support/wait.ts'
import type { FailoverClient } from './failover-client.ts'
import type { ChaosLoad } from './load.ts'
import type { RouteId } from './message-mix.ts'

const idleMs = 50
const unavailableMs = 200
/** Report codes of expired steps and of unknown outcomes. */
const expiredOrUnknown = /^(22000|32000|63005|99999)$/
/** A rate is measured over this time, in which some messages await receipts that never come. */
const rateSeconds = 2
const rateFraction = 0.9
const routes: readonly RouteId[] = ['carrier', 'sandbox']

/**
 * Polls, stores and acknowledges the reports of an account through all faults until it is stopped. A batch
 * that is redelivered before its acknowledgement is no duplicate; a report in two different batches is.
 */
export class ChaosReportPoller {
  /** Reports by msgKey, in order of arrival. */
  readonly reports = new Map<string, Report[]>()
  /** Reports in a second batch, and batches that changed. */
  readonly reportedTwice: string[] = []
  /** Arrival times of reports by route. */
  readonly #arrivals = new Map<RouteId, number[]>(routes.map((route) => [route, []]))
  /** Latest `firstSentAt` of reported messages by route. */
  readonly #latest = new Map<RouteId, number>()
  readonly #client: FailoverClient
  readonly #load: ChaosLoad
  readonly #batches = new Map<string, number>()
  readonly #seen = new Set<string>()
  /** Time of the last empty poll. */
  #emptyAt = 0
  #stopping = false
  #running: Promise<void> | undefined

  constructor(client: FailoverClient, load: ChaosLoad) {
    this.#client = client
    this.#load = load
  }

  start(): void {
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#running
  }

  /** Resolves when messages of every route sent after `since` were reported. */
  async waitUntilFlowing(since: number, timeoutMs: number): Promise<number> {
    await waitFor(
      'messages of every route accepted, submitted and reported',
      () => routes.every((route) => (this.#latest.get(route) ?? 0) > since),
      { timeoutMs },
    )
    return performance.now()
  }

  /** Resolves when messages were reported at a rate for some seconds. */
  async waitUntilRate(messagesPerSecond: number, timeoutMs: number): Promise<number> {
    let counted = { at: performance.now(), messages: this.reports.size }
    const isReached = (): boolean => {
      const seconds = (performance.now() - counted.at) / 1000
      if (seconds < rateSeconds) return false
      const rate = (this.reports.size - counted.messages) / seconds
      counted = { at: performance.now(), messages: this.reports.size }
      return rate >= messagesPerSecond * rateFraction
    }
    await waitFor('messages to be reported as fast as they are sent', isReached, { timeoutMs })
    return performance.now()
  }

  /** Resolves when the backlog is processed: a message of every route is reported within `withinMs`. */
  async waitUntilCurrent(withinMs: number, timeoutMs: number): Promise<void> {
    const isCurrent = (route: RouteId): boolean =>
      (this.#latest.get(route) ?? 0) > performance.now() - withinMs
    await waitFor('the backlog to be worked off', () => routes.every(isCurrent), { timeoutMs })
  }

  /** Resolves after an empty poll. */
  async waitUntilEmpty(timeoutMs: number): Promise<void> {
    const since = performance.now()
    await waitFor('polling to have nothing left', () => this.#emptyAt > since, { timeoutMs })
  }

  /** Returns the longest time between `from` and `to` without a report on one of the routes. */
  longestStall(from: number, to: number): number {
    const gaps = routes.flatMap((route) => {
      const between = this.#arrivals.get(route)!.filter((at) => at > from && at < to)
      const moments = [from, ...between, to]
      return moments.slice(1).map((at, index) => at - moments[index]!)
    })
    return Math.max(...gaps)
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const response = await this.#client.request((client) => client.poll()).catch(() => undefined)
      const batch = response?.body.data
      if (batch === undefined) await pause(unavailableMs)
      else if (batch.reportId === '') {
        this.#emptyAt = performance.now()
        await pause(idleMs)
      } else {
        this.#store(batch.reportId, batch.report)
        await this.#client.request((client) => client.acknowledge(batch.reportId)).catch(() => undefined)
      }
    }
  }

  #store(reportId: string, batch: readonly Report[]): void {
    const before = this.#batches.get(reportId)
    if (before !== undefined && before !== batch.length) this.reportedTwice.push(`batch ${reportId} changed`)
    if (before !== undefined) return
    this.#batches.set(reportId, batch.length)
    const now = performance.now()
    const touched = new Set<RouteId>()
    for (const report of batch) {
      // Message kinds use each channel at most once.
      const key = `${report.msgKey} ${report.serviceType}`
      if (this.#seen.has(key)) this.reportedTwice.push(key)
      this.#seen.add(key)
      const reports = this.reports.get(report.msgKey)
      if (reports === undefined) this.reports.set(report.msgKey, [report])
      else reports.push(report)
      this.#noteArrival(report, touched)
    }
    for (const route of touched) this.#arrivals.get(route)!.push(now)
  }

  #noteArrival(report: Report, touched: Set<RouteId>): void {
    // Reports of expired steps and of unknown outcomes are no evidence that the route works.
    if (expiredOrUnknown.test(report.reportCode)) return
    const route =
      report.serviceType === 'SMS' || report.serviceType === 'INTERNATIONAL' ? 'carrier' : 'sandbox'
    touched.add(route)
    const sentAt = this.#load.sends.get(report.ref)?.firstSentAt ?? 0
    this.#latest.set(route, Math.max(this.#latest.get(route) ?? 0, sentAt))
  }
}
