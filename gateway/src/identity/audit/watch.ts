/**
 * Counts security events of the audit log for alerts, and verifies the whole log once per day. One worker at
 * a time does this, as a duty: commands and admin processes write the log, so no single one of them could
 * count it.
 */
import { clock } from '../../platform/time/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { countEventsAfter, readTail, securityEvents, type Checkpoint } from './queries.ts'
import { verifyAudit } from './verify.ts'

const verifyEveryMs = 24 * 3_600_000

export interface AuditWatchContext {
  readonly database: Database
  readonly metrics: Pick<Metrics, 'auditEvents' | 'auditBroken' | 'auditVerified'>
  readonly log: Log
}

export class AuditWatch {
  readonly #context: AuditWatchContext
  /** Number of the last counted row; undefined while another worker counts. */
  #countedSeq: number | undefined
  #verifiedAt = -Infinity
  #verified: Checkpoint | undefined

  constructor(context: AuditWatchContext) {
    this.#context = context
    for (const event of securityEvents) context.metrics.auditEvents.inc({ event }, 0)
  }

  async count(): Promise<void> {
    const { database, metrics } = this.#context
    const { seq } = await readTail(database)
    if (this.#countedSeq !== undefined)
      for (const { event, rows } of await countEventsAfter(database, this.#countedSeq, seq))
        metrics.auditEvents.inc({ event }, rows)
    this.#countedSeq = seq
  }

  async verifyDaily(signal?: AbortSignal): Promise<void> {
    if (performance.now() - this.#verifiedAt < verifyEveryMs) return
    const { database, metrics, log } = this.#context
    const { broken, last, rows } = await verifyAudit(
      database,
      this.#verified === undefined ? [] : [this.#verified],
      signal === undefined ? {} : { signal },
    )
    if (broken === null) {
      this.#verified = last
      log.info({ rows, ...last }, 'the audit log is intact')
    } else
      log.error(
        { broken },
        'the audit log was tampered with. Restrict access to the database, keep a copy of it, and compare the log with external checkpoints: `postern audit verify --checkpoint FILE`',
      )
    this.#verifiedAt = performance.now()
    metrics.auditBroken.set(broken === null ? 0 : 1)
    metrics.auditVerified.set(clock.now() / 1000)
  }

  /** Stops counting: another worker has the duty and begins with a verification. */
  stopWatching(): void {
    this.#countedSeq = undefined
    this.#verifiedAt = -Infinity
    this.#context.metrics.auditBroken.set(0)
  }
}
