/**
 * Writes the audit rows of one command or request. A change and its row commit together; longer work writes a
 * start and an end row.
 */
import type { AuditContext } from '../identity/audit/context.ts'
import type { AuditEntry, AuditResult } from '../identity/audit/entry.ts'
import {
  appendInOwnTransaction,
  appendAudit,
  findPreviousAction,
  type PreviousAction,
} from '../identity/audit/queries.ts'
import type { Right } from '../identity/operators/rights.ts'
import { inTransaction, type Database, type Transaction } from '../platform/database/database.ts'
import type { Signature } from '../identity/operators/queries.ts'
import { hasCode, OperationError } from './errors.ts'
import { requireRight } from './rights.ts'

/** Describes what was done, without secrets and whole phone numbers. */
export type AuditSubject = Pick<AuditEntry, 'target' | 'account' | 'details'>

export interface SignedAudit {
  readonly act: AuditContext
  /** Set if the operator signed with a key, which some changes require. */
  readonly signature: Signature | null
}

/** The audited command or request. A command and the operation that does the same have the same name. */
export interface AuditedRun {
  /** Action in the audit log, such as `account block`. */
  readonly command: string
  /** Set once the run has recorded its change, or has declared that it changed nothing. */
  audited: boolean
  /** Runs at most once per request ID: a change already recorded with the ID is not repeated. */
  readonly once?: boolean
}

export class AuditRecorder {
  readonly act: AuditContext
  readonly signature: Signature | null
  readonly #database: Database
  readonly #run: AuditedRun
  readonly #reasonGiven: boolean

  constructor(database: Database, run: AuditedRun, { act, signature }: SignedAudit) {
    this.#database = database
    this.#run = run
    this.signature = signature
    this.#reasonGiven = act.reason !== ''
    this.act = this.#reasonGiven ? act : { ...act, reason: run.command }
  }

  /** Uses `standardReason` if no reason was given. */
  contextFor(standardReason: string): AuditContext {
    return this.#reasonGiven ? this.act : { ...this.act, reason: standardReason }
  }

  /**
   * Runs `work` once per request ID. A repeat is reported as `repeated` even if the work itself would fail,
   * for example because a name is already in use. Of two concurrent requests, the second detects the first
   * when it adds its row, or here if its own work fails.
   */
  async once<T>(work: () => Promise<T>): Promise<T> {
    if (this.#run.once !== true) return work()
    const previous = await findPreviousAction(this.#database, this.act.requestId)
    if (previous !== null) throw repeated(previous)
    try {
      return await work()
    } catch (error) {
      // Rows that this run has recorded itself do not count.
      if (this.#run.audited || hasCode(error, 'repeated')) throw error
      // Report the error of the work, not that of an unavailable database.
      const concurrent = await findPreviousAction(this.#database, this.act.requestId).catch(() => null)
      throw concurrent === null ? error : repeated(concurrent)
    }
  }

  /**
   * Runs `work` in a transaction with its audit row. `work` returns its result and what it changed, or null
   * if nothing changed.
   */
  change<T>(work: (transaction: Transaction) => Promise<readonly [T, AuditSubject | null]>): Promise<T> {
    return this.changeEach(async (transaction) => {
      const [result, subject] = await work(transaction)
      return [result, subject === null ? [] : [subject]] as const
    })
  }

  /** Like `change`, with one row per subject, such as per account. */
  changeEach<T>(
    work: (transaction: Transaction) => Promise<readonly [T, readonly AuditSubject[]]>,
  ): Promise<T> {
    return inTransaction(this.#database, async (transaction) => {
      const [result, subjects] = await work(transaction)
      if (subjects.length === 0) this.unchanged()
      for (const subject of subjects) await this.#append(transaction, 'done', subject)
      return result
    })
  }

  /**
   * Audits work beyond one transaction. `outcome` describes success, `completed` what was done before a
   * failure.
   */
  async around<T>(
    subject: AuditSubject,
    work: () => Promise<T>,
    outcome: (result: T) => AuditEntry['details'] = () => ({}),
    completed: () => AuditEntry['details'] = () => ({}),
  ): Promise<T> {
    await this.#append(this.#database, 'begun', subject)
    let result: T
    try {
      result = await work()
    } catch (error) {
      const failed = { ...subject, details: { ...subject.details, ...completed() } }
      // Report the error of the work, not that of an unavailable database.
      await this.#append(this.#database, 'failed', failed).catch(() => undefined)
      throw error
    }
    const details = { ...subject.details, ...outcome(result) }
    await this.#append(this.#database, 'done', { ...subject, details })
    return result
  }

  /**
   * Records access to personal data before it is shown. A client reads its own data: the admin API has
   * checked that.
   */
  async recordAccess(subject: AuditSubject, right: Right = 'reveal'): Promise<void> {
    if (this.act.role !== 'client') await this.requireRight(right)
    if (!this.#reasonGiven) throw reasonMissing('access to personal data')
    const entry = { action: this.#run.command, result: 'looked' as const, ...subject }
    await appendInOwnTransaction(this.#database, this.act, entry)
  }

  /** Checks a right that only a part of a command requires. */
  async requireRight(right: Right): Promise<void> {
    await requireRight(this.#database, this.#run.command, this.act, right)
  }

  /** Requires a reason for a part of a command; `part` names it, such as `changes of limits`. */
  requireReason(part: string): void {
    if (!this.#reasonGiven) throw reasonMissing(part)
  }

  /** Declares that this run changes nothing, such as a dry run. */
  unchanged(): void {
    this.#run.audited = true
  }

  async #append(
    queryable: Database | Transaction,
    result: AuditResult,
    { target, account = null, details = {} }: AuditSubject,
  ): Promise<void> {
    const entry = { action: this.#run.command, result, target, account, details }
    await appendAudit(queryable, this.act, entry)
    if (this.#run.once === true && !this.#run.audited) await this.#requireFirst(queryable, result, entry)
    this.#run.audited = true
  }

  /**
   * Runs after the row was added: rows are added one at a time, so of two concurrent requests with the same
   * ID the second sees the row of the first. Its transaction is rolled back; without a transaction, a `failed`
   * row ends the row that it added.
   */
  async #requireFirst(
    queryable: Database | Transaction,
    result: AuditResult,
    entry: AuditEntry,
  ): Promise<void> {
    const previous = await findPreviousAction(queryable, this.act.requestId, 1)
    if (previous === null) return
    if (result === 'begun') await appendAudit(queryable, this.act, { ...entry, result: 'failed' })
    throw repeated(previous)
  }
}

function reasonMissing(part: string): OperationError {
  return new OperationError('reason-missing', `'reason' is required for ${part}`, { field: 'reason' })
}

function repeated({ seq, result }: PreviousAction): OperationError {
  const problem = `the request was ${result} before`
  const next = 'the response is not stored. Use a new Idempotency-Key for another request'
  return new OperationError('repeated', `${problem}, see row ${seq} of the audit log; ${next}`, {
    done: result === 'done',
    facts: { auditRow: seq },
    forClients: `${problem}; ${next}`,
  })
}
