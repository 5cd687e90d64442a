/**
 * The audit log of one act: a run of a command, or a request to the admin API. A change and its row commit together; what cannot
 * be done in one transaction has a row before and a row after it. Every act is given one.
 */
import type { Act } from '../audit/act.ts'
import type { AuditEntry, AuditResult } from '../audit/entry.ts'
import { appendAlone, appendAudit, findFormer, type FormerAct } from '../audit/queries.ts'
import type { Right } from '../operators/rights.ts'
import { inTransaction, type Database, type Transaction } from '../platform/database.ts'
import type { Signature } from '../operators/queries.ts'
import { hasCode, OperationError } from './errors.ts'
import { requireRight } from './rights.ts'

/** What was done: never with a secret or a whole phone number. */
export type Subject = Pick<AuditEntry, 'target' | 'account' | 'details'>

export interface Signed {
  readonly act: Act
  /** For what only an operator's key may change. */
  readonly signature: Signature | null
}

/** What is done. Commands and operations of the admin API that do the same have the same name. */
export interface AuditedRun {
  /** Such as `account block`: the action in the audit log. */
  readonly command: string
  /** Set when the run has recorded what it changed, or has said that it changed nothing. */
  audited: boolean
  /** Its request id is done once: a change that was recorded with it before is not made again. */
  readonly once?: boolean
}

export class ActAudit {
  readonly act: Act
  readonly signature: Signature | null
  readonly #database: Database
  readonly #run: AuditedRun
  readonly #reasonGiven: boolean

  constructor(database: Database, run: AuditedRun, { act, signature }: Signed) {
    this.#database = database
    this.#run = run
    this.signature = signature
    this.#reasonGiven = act.reason !== ''
    this.act = this.#reasonGiven ? act : { ...act, reason: run.command }
  }

  /** For histories that had words of their own before the command took a reason. */
  actFor(standardReason: string): Act {
    return this.#reasonGiven ? this.act : { ...this.act, reason: standardReason }
  }

  /**
   * The whole act, when its request id is done once. A repeat is answered as one also where its own effect refuses it: a name that is taken,
   * something that is deleted. Of two at the same time the second sees what the first did only when it fails.
   */
  async once<T>(work: () => Promise<T>): Promise<T> {
    if (this.#run.once !== true) return work()
    const former = await findFormer(this.#database, this.act.requestId)
    if (former !== null) throw repeated(former)
    try {
      return await work()
    } catch (error) {
      // What this act has recorded itself is no former one.
      if (this.#run.audited || hasCode(error, 'repeated')) throw error
      // The error of the work is reported, not that of a database that is unavailable too.
      const meanwhile = await findFormer(this.#database, this.act.requestId).catch(() => null)
      throw meanwhile === null ? error : repeated(meanwhile)
    }
  }

  /** `work` changes something in the transaction and says what; null when it changed nothing. */
  change<T>(work: (transaction: Transaction) => Promise<readonly [T, Subject | null]>): Promise<T> {
    return this.changeEach(async (transaction) => {
      const [result, subject] = await work(transaction)
      return [result, subject === null ? [] : [subject]] as const
    })
  }

  /** The same with a row for each of several, such as accounts. */
  changeEach<T>(work: (transaction: Transaction) => Promise<readonly [T, readonly Subject[]]>): Promise<T> {
    return inTransaction(this.#database, async (transaction) => {
      const [result, subjects] = await work(transaction)
      if (subjects.length === 0) this.unchanged()
      for (const subject of subjects) await this.#append(transaction, 'done', subject)
      return result
    })
  }

  /** For work beyond one transaction. `outcome` describes it when it has succeeded, `partly` what is done when it has failed. */
  async around<T>(
    subject: Subject,
    work: () => Promise<T>,
    outcome: (result: T) => AuditEntry['details'] = () => ({}),
    partly: () => AuditEntry['details'] = () => ({}),
  ): Promise<T> {
    await this.#append(this.#database, 'begun', subject)
    let result: T
    try {
      result = await work()
    } catch (error) {
      const failed = { ...subject, details: { ...subject.details, ...partly() } }
      // The error of the work is reported, not that of a database that is unavailable too.
      await this.#append(this.#database, 'failed', failed).catch(() => undefined)
      throw error
    }
    const details = { ...subject.details, ...outcome(result) }
    await this.#append(this.#database, 'done', { ...subject, details })
    return result
  }

  /** Before personal data is shown. A client looks at what is its own: the admin API has checked that it is. */
  async look(subject: Subject, right: Right = 'reveal'): Promise<void> {
    if (this.act.role !== 'client') await this.requireRight(right)
    if (!this.#reasonGiven) throw reasonMissing('access to personal data is recorded with its reason')
    const entry = { action: this.#run.command, result: 'looked' as const, ...subject }
    await appendAlone(this.#database, this.act, entry)
  }

  /** For a part of a command that needs another right than the rest. */
  async requireRight(right: Right): Promise<void> {
    await requireRight(this.#database, this.#run.command, this.act, right)
  }

  /** For a part of a command that is recorded with why, where the rest needs no reason. `what`: such as `a change of limits`. */
  requireReason(what: string): void {
    if (!this.#reasonGiven) throw reasonMissing(`${what} is recorded with its reason`)
  }

  /** The command changed nothing in this run, such as a dry run. */
  unchanged(): void {
    this.#run.audited = true
  }

  async #append(
    queryable: Database | Transaction,
    result: AuditResult,
    { target, account = null, details = {} }: Subject,
  ): Promise<void> {
    const entry = { action: this.#run.command, result, target, account, details }
    await appendAudit(queryable, this.act, entry)
    if (this.#run.once === true && !this.#run.audited) await this.#requireFirst(queryable, result, entry)
    this.#run.audited = true
  }

  /**
   * After the row was added: rows are added one at a time, so that of two requests with the same id at the same time the second sees the
   * row of the first. Its transaction is rolled back; where there is none, the row is ended by another one.
   */
  async #requireFirst(
    queryable: Database | Transaction,
    result: AuditResult,
    entry: AuditEntry,
  ): Promise<void> {
    const former = await findFormer(queryable, this.act.requestId, 1)
    if (former === null) return
    if (result === 'begun') await appendAudit(queryable, this.act, { ...entry, result: 'failed' })
    throw repeated(former)
  }
}

function reasonMissing(why: string): OperationError {
  return new OperationError('reason-missing', `'reason' is required: ${why}`, { field: 'reason' })
}

function repeated({ seq, result }: FormerAct): OperationError {
  const what = `the request was ${result} before`
  const next = 'the response is not stored. Use a new Idempotency-Key for another request'
  return new OperationError('repeated', `${what}, see row ${seq} of the audit log; ${next}`, {
    done: result === 'done',
    facts: { auditRow: seq },
    forClients: `${what}; ${next}`,
  })
}
