/**
 * Carries out the behaviour of a submission: validates, refuses or accepts it, responds, and queues its
 * reports.
 */
import { createHash } from 'node:crypto'
import type { CarrierState } from '../shared/carrier-state.ts'
import type { HttpOutcome, HttpResponse } from '../shared/http-server.ts'
import { evictOldest } from '../shared/evict-oldest.ts'
import type { LogEntry } from '../shared/received-log.ts'
import { behaviourFor } from './behaviours.ts'
import type { Behaviour } from './behaviours.ts'
import type { ReceivedPart } from './content.ts'
import { dialects } from './dialects.ts'
import type { Mm7Code, Dialect, ReportOutcome, PortedRefusal, Refusal } from './dialect.ts'
import { reportRequest, submitResponse } from './envelopes.ts'
import type { Mm7Options } from './settings.ts'
import type { Mm7Submission } from './submission.ts'

export interface Mm7Entry extends LogEntry {
  readonly transactionId: string
  readonly from: string
  readonly callback: string | null
  readonly recipients: readonly string[]
  readonly originCode: string | null
  readonly subject: string | null
  readonly parts: readonly ReceivedPart[]
  readonly strictCharset: boolean
}

const ACCEPTED: Mm7Code = ['1000', 'SUCCESS']

export class Mmsc {
  readonly #options: Mm7Options
  readonly #dialect: Dialect
  readonly #state: CarrierState<Mm7Entry>
  readonly #transactions = new Set<string>()

  constructor(options: Mm7Options, state: CarrierState<Mm7Entry>) {
    this.#options = options
    this.#dialect = dialects[options.dialect]
    this.#state = state
  }

  forget(): void {
    this.#transactions.clear()
  }

  xml(body: string, status = 200): HttpResponse {
    const headers = { 'content-type': `text/xml; charset="${this.#dialect.charset}"`, soapaction: '""' }
    return { status, headers, body }
  }

  /** Handles the submit and counts it in exactly one counter. */
  async submit(submission: Mm7Submission): Promise<HttpOutcome> {
    const { counters } = this.#state
    const behaviour = behaviourFor(submission.to[0]!)
    const key = contentKey(submission)
    const refusal = this.#checkRefusal(submission, behaviour, key)
    if (refusal !== undefined) {
      counters[refusal === 'throttled' ? 'throttled' : 'refused']++
      return this.refuse(submission.transactionId, refusal)
    }
    if (!behaviour.accepts) {
      counters.abandoned++
      return this.#answer(behaviour, '')
    }
    counters.accepted++
    if (this.#dialect.uniqueTransactions) this.#remember(submission.transactionId)
    const id = this.#messageId()
    this.#record(id, submission, key)
    const body = submitResponse(this.#options.dialect, this.#dialect, submission.transactionId, ACCEPTED, id)
    const reportsSent = this.#report(id, submission, behaviour)
    if (behaviour.answer === 'after its report') {
      await Promise.race([reportsSent, this.#state.after(this.#options.earlyMs)])
    }
    if (behaviour.answer === 'slowly') await this.#state.after(this.#options.slowMs)
    return this.#answer(behaviour, body)
  }

  refuse(transactionId: string, refusal: Refusal | PortedRefusal): HttpResponse {
    const code = this.#dialect.refusals[refusal]!
    return this.xml(submitResponse(this.#options.dialect, this.#dialect, transactionId, code, undefined))
  }

  #checkRefusal(
    submission: Mm7Submission,
    behaviour: Behaviour,
    key: string,
  ): Refusal | PortedRefusal | undefined {
    const { vaspId, vasId, partnerId, requireOrigin, maxPending } = this.#options
    const differs = (expected: string | undefined, actual: string | null): boolean =>
      expected !== undefined && expected !== actual
    if (differs(vaspId, submission.vaspId) || differs(vasId, submission.vasId)) return 'credentials'
    if (differs(partnerId, submission.partnerId)) return 'credentials'
    const needsOrigin = requireOrigin && this.#dialect.originElement !== undefined
    if (needsOrigin && !/^\d{9}$/.test(submission.originCode ?? '')) return 'origin'
    if (this.#transactions.has(submission.transactionId)) return 'duplicate'
    if (this.#state.receipts.counters.receiptsPending >= maxPending) return 'throttled'
    if (!this.#state.takeRateToken()) return 'throttled'
    const { refuse } = behaviour
    if (refuse !== undefined && this.#dialect.refusals[refuse.refusal] === undefined) return undefined
    return refuse !== undefined && this.#state.shouldRefuseTry(key, refuse.tries) ? refuse.refusal : undefined
  }

  #remember(transactionId: string): void {
    if (this.#options.rememberTransactions === 0) return
    evictOldest(this.#transactions, this.#options.rememberTransactions)
    this.#transactions.add(transactionId)
  }

  #messageId(): string {
    const number = this.#state.numbers.next()
    return this.#options.dialect === 'kt' ? `01210006_${number}` : String(number)
  }

  #record(id: string, submission: Mm7Submission, key: string): void {
    const { transactionId, from, callback, to, originCode, subject, parts, strictCharset } = submission
    const entry = { transactionId, from, callback, recipients: to, originCode, subject, parts, strictCharset }
    this.#state.log.add({ id, to: to[0]!, key, ...entry }, submission.textLength)
  }

  #answer(behaviour: Behaviour, body: string): HttpOutcome {
    switch (behaviour.answer) {
      case 'never':
        return 'hang'
      case 'by disconnecting':
        return 'disconnect'
      case 'HTTP 500':
        return {
          status: 500,
          headers: { 'content-type': 'text/html' },
          body: '<html>Internal Server Error</html>',
        }
      case 'broken XML':
        return this.xml(body.slice(0, -20))
      case 'at once':
      case 'slowly':
      case 'after its report':
        return this.xml(body)
    }
  }

  #getReportCode(outcome: ReportOutcome): Mm7Code {
    const code = this.#dialect.reportCodes[outcome]
    if (this.#options.dialect !== 'lgu' || outcome !== 'delivered') return code
    return [this.#options.lguSuccess, code[1]]
  }

  /** Sends the reports in order. Resolves when the last one is acknowledged or abandoned. */
  async #report(messageId: string, submission: Mm7Submission, behaviour: Behaviour): Promise<void> {
    const { reportUrl, lateMs, receiptDelayMs, dialect } = this.#options
    if (reportUrl === undefined || !submission.wantsReport) return
    const delayMs = behaviour.late ? lateMs : receiptDelayMs
    const headers = { 'content-type': `text/xml; charset="${this.#dialect.charset}"`, soapaction: '""' }
    for (const outcome of behaviour.reports) {
      const sent = submission.to.map((to) => {
        const transactionId = this.#state.numbers.next().toString(36)
        const from = submission.callback ?? submission.from
        const code = this.#getReportCode(outcome)
        const report = { transactionId, messageId, from, to, code, at: new Date() }
        const body = reportRequest(dialect, this.#dialect, report)
        return this.#state.receipts.send({ url: reportUrl, headers, body }, delayMs)
      })
      await Promise.all(sent)
    }
  }
}

/** Identifies a message by its content, without the TransactionID. */
function contentKey({ from, callback, to, subject, parts }: Mm7Submission): string {
  const digests = parts.map(({ contentType, sha256 }) => [contentType, sha256])
  const identity = JSON.stringify([from, callback, to, subject, digests])
  return createHash('sha256').update(identity).digest('base64')
}
