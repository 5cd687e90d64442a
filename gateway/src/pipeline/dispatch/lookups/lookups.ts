import { channels } from '../../../channels/registry.ts'
import type { RecordedSubmission, Connector, Receipt } from '../../../carriers/connectors/connector.ts'
import { toReference } from '../../../carriers/connectors/reference.ts'
import { withRouteSender } from '../../../carriers/connectors/senders.ts'
import type { RouteJob } from '../../../jobs/jobs.ts'
import { clock } from '../../../platform/time/clock.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { Metrics } from '../../../platform/metrics.ts'
import type { AttemptRow } from '../../../records/attempts/attempts.ts'
import type { MissingHalf, UnresolvedPart } from '../../../records/attempts/unresolved.ts'
import type { RouteShare } from '../../../carriers/routes/shares.ts'
import type { QueryableRoute } from './lookup-passes.ts'
import { Semaphore } from '../runner/submit-part.ts'

/** Waits before each query of a remembered submission. */
const defaultDelaysMs = [10_000, 30_000, 120_000, 600_000, 3_600_000]
const maxRemembered = 10_000
const maxConcurrent = 4

/** Receipt code of a revoked submission. */
const revokedCode = 'revoked'

export interface LookupsContext {
  readonly route: Pick<RouteShare, 'routeId' | 'options'>
  /** Digest of the connector's login. */
  readonly login?: string | undefined
  readonly connector: Pick<Connector, 'lookup' | 'revoke'>
  readonly onReceipt: (receipt: Receipt) => Promise<void>
  readonly record: (rows: readonly AttemptRow[]) => Promise<void>
  readonly metrics: Pick<Metrics, 'lookups'>
  readonly log: Log
  /** Aborts when the route stops. */
  readonly signal: AbortSignal
  readonly delaysMs?: readonly number[] | undefined
}

type Resolution = 'found' | 'pending' | 'not-found' | 'failed' | 'revoked'

/** Reports whether a remembered submission is not queried again. `LookupPasses` finds the receipt of a pending one. */
const endsQueries = (result: Resolution): boolean => result !== 'not-found' && result !== 'failed'

/**
 * Queries the carrier of a route about submissions whose response or receipt is missing. A final result becomes a
 * receipt with our reference, and settle decides as with every receipt. A submission that the carrier still delivers is
 * recorded as accepted, so that its receipt matches. A submission that the carrier does not find stays as it is, and is not
 * sent again. With the last query before the deadline, one that is still open is revoked where the carrier allows it, and
 * reported as failed.
 *
 * Unknown submissions of this owner are remembered here and queried a few times. `LookupPasses` finds the others in
 * PostgreSQL: those of earlier owners, those beyond the limit, and those whose receipt is missing.
 */
export class Lookups implements QueryableRoute {
  readonly #context: LookupsContext
  readonly #slots = new Semaphore(maxConcurrent)
  /** References of submissions that are remembered or about to be queried. */
  readonly #remembered = new Set<string>()
  readonly #waits = new Map<NodeJS.Timeout, () => void>()

  constructor(context: LookupsContext) {
    this.#context = context
    context.signal.addEventListener('abort', () => this.#stop(), { once: true })
  }

  get routeId(): string {
    return this.#context.route.routeId
  }

  get login(): string | undefined {
    return this.#context.login
  }

  canQuery(missing: MissingHalf): boolean {
    const { connector } = this.#context
    return this.#hasRoom && (connector.revoke !== undefined || canFind(connector, missing))
  }

  get #hasRoom(): boolean {
    return this.#remembered.size < maxRemembered
  }

  /** Remembers the attempts with an unknown outcome. */
  watch(job: RouteJob, rows: readonly AttemptRow[]): void {
    if (!canFind(this.#context.connector, 'response')) return
    for (const row of rows)
      if (row.outcome === 'unknown')
        this.#remember({ row, given: job.content, dueAt: new Date(job.dueAt), isLast: false }, (part) =>
          this.#queryRepeatedly(part),
        )
  }

  /** Queries once for a submission that `LookupPasses` found. */
  query(part: UnresolvedPart): void {
    if (!part.isLast && !canFind(this.#context.connector, findMissing(part.row))) return
    this.#remember(part, (remembered) => this.#query(remembered))
  }

  #remember(part: UnresolvedPart, work: (part: UnresolvedPart) => Promise<unknown>): void {
    const reference = toReference(part.row)
    // The last query is made even if another one is open, because only the last one revokes.
    const isRepeated = this.#remembered.has(reference) && !part.isLast
    if (isRepeated || !this.#hasRoom || this.#context.signal.aborted) return
    this.#remembered.add(reference)
    void work(part).finally(() => this.#remembered.delete(reference))
  }

  async #queryRepeatedly(part: UnresolvedPart): Promise<void> {
    for (const delayMs of this.#context.delaysMs ?? defaultDelaysMs) {
      const now = clock.now()
      if (now + delayMs >= part.dueAt.getTime()) return
      await this.#wait(delayMs)
      if (endsQueries(await this.#query(part))) return
    }
  }

  /** Never rejects. */
  async #query(part: UnresolvedPart): Promise<Resolution> {
    const { metrics, route, signal, log } = this.#context
    await this.#slots.acquire()
    try {
      if (signal.aborted || clock.hasPassed(part.dueAt)) return 'failed'
      const result = await this.#resolve(part)
      metrics.lookups.inc({ route: route.routeId, result })
      return result
    } catch (error) {
      // The carrier has responded, but PostgreSQL or the broker is unavailable; the next query gets the same
      // response.
      if (!signal.aborted)
        log.warn(
          { message: part.row.msgKey, err: error as Error },
          'the result of a lookup cannot be recorded; the carrier is queried again unless the deadline is too close',
        )
      return 'failed'
    } finally {
      this.#slots.release()
    }
  }

  async #resolve(part: UnresolvedPart): Promise<Resolution> {
    const { connector } = this.#context
    const submission = this.#toSubmission(part)
    if (!canFind(connector, findMissing(part.row))) return this.#revoke(part, submission)
    const found = await connector.lookup!.find(submission)
    if (found.kind === 'not-found') return 'not-found'
    if (found.kind === 'found' && isFinal(found.receipt)) {
      await this.#report(submission, {
        ...found.receipt,
        carrierId: found.receipt.carrierId ?? found.carrierId,
      })
      return 'found'
    }
    if (part.isLast && (await this.#revoke(part, submission)) === 'revoked') return 'revoked'
    if (found.kind === 'failed') return 'failed'
    if (part.row.outcome === 'unknown') await this.#recordAccepted(part.row, found.carrierId)
    return 'pending'
  }

  /**
   * Revokes a submission that would still be open at its deadline. One of several parts is not revoked,
   * because the recipient may have the others.
   */
  async #revoke(
    { row }: UnresolvedPart,
    submission: RecordedSubmission,
  ): Promise<'revoked' | 'pending' | 'failed'> {
    const { connector } = this.#context
    const isWhole = row.parts === 1 || row.part === 0
    if (connector.revoke === undefined || !isWhole) return 'pending'
    const result = await connector.revoke(submission)
    if (result !== 'revoked') return result === 'too-late' ? 'pending' : 'failed'
    await this.#report(submission, {
      carrierId: submission.carrierId,
      result: 'failed',
      cause: 'timeout',
      code: revokedCode,
      recipient: submission.to,
      sender: submission.from,
      at: null,
    })
    return 'revoked'
  }

  #report({ reference }: RecordedSubmission, receipt: Receipt): Promise<void> {
    return this.#context.onReceipt({ ...receipt, reference })
  }

  #recordAccepted(row: AttemptRow, carrierId: string | null): Promise<void> {
    return this.#context.record([
      { ...row, outcome: 'accepted', carrierId: carrierId ?? row.carrierId, code: null },
    ])
  }

  #toSubmission({ row, given }: UnresolvedPart): RecordedSubmission {
    const { content } = withRouteSender({ content: given, to: row.recipient }, this.#context.route.options)
    return {
      reference: toReference(row),
      carrierId: row.carrierId,
      from: channels[content.channel].sender(content),
      to: row.recipient,
      given: content,
      submittedAt: row.submittedAt,
    }
  }

  #wait(ms: number): Promise<void> {
    if (this.#context.signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waits.delete(timer)
        resolve()
      }, ms)
      this.#waits.set(timer, resolve)
    })
  }

  /** Ends all waits; each remembered submission then detects that the route stops. */
  #stop(): void {
    for (const [timer, resolve] of this.#waits) {
      clearTimeout(timer)
      resolve()
    }
    this.#waits.clear()
  }
}

function findMissing({ outcome }: AttemptRow): MissingHalf {
  return outcome === 'unknown' ? 'response' : 'receipt'
}

function canFind({ lookup }: Pick<Connector, 'lookup'>, missing: MissingHalf): boolean {
  return (missing === 'response' ? lookup?.lostResponse : lookup?.missingReceipt) === true
}

function isFinal(receipt: Receipt | null): receipt is Receipt {
  return receipt !== null && receipt.result !== 'pending'
}
