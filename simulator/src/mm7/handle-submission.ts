/** Carries out the behaviour of a submission: validates, refuses, accepts, answers, and queues its reports. */
import { createHash } from 'node:crypto'
import type { CarrierState } from '../shared/carrier-state.ts'
import type { HttpAnswer, HttpReply } from '../shared/http-server.ts'
import { makeRoom } from '../shared/make-room.ts'
import type { LogEntry } from '../shared/received-log.ts'
import { behaviourFor } from './behaviours.ts'
import type { Behaviour } from './behaviours.ts'
import type { ReceivedPart } from './content.ts'
import { dialects } from './dialects.ts'
import type { Code, Dialect, Ending, Ported, Refusal } from './dialect.ts'
import { reportRequest, submitResponse } from './envelopes.ts'
import type { Mm7Options } from './settings.ts'
import type { Submission } from './submission.ts'

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

const ACCEPTED: Code = ['1000', 'SUCCESS']

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

  xml(body: string, status = 200): HttpReply {
    const headers = { 'content-type': `text/xml; charset="${this.#dialect.charset}"`, soapaction: '""' }
    return { status, headers, body }
  }

  /** Counts the submit in exactly one way and answers it. */
  async submit(submission: Submission): Promise<HttpAnswer> {
    const { counters } = this.#state
    const behaviour = behaviourFor(submission.to[0]!)
    const key = contentKey(submission)
    const refusal = this.#refusalOf(submission, behaviour, key)
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
    const reported = this.#report(id, submission, behaviour)
    if (behaviour.answer === 'after its report') {
      await Promise.race([reported, this.#state.after(this.#options.earlyMs)])
    }
    if (behaviour.answer === 'slowly') await this.#state.after(this.#options.slowMs)
    return this.#answer(behaviour, body)
  }

  refuse(transactionId: string, refusal: Refusal | Ported): HttpReply {
    const code = this.#dialect.refusals[refusal]!
    return this.xml(submitResponse(this.#options.dialect, this.#dialect, transactionId, code, undefined))
  }

  #refusalOf(submission: Submission, behaviour: Behaviour, key: string): Refusal | Ported | undefined {
    const { vaspId, vasId, partnerId, requireOrigin, maxPending } = this.#options
    const wrong = (expected: string | undefined, given: string | null): boolean =>
      expected !== undefined && expected !== given
    if (wrong(vaspId, submission.vaspId) || wrong(vasId, submission.vasId)) return 'credentials'
    if (wrong(partnerId, submission.partnerId)) return 'credentials'
    const originRequired = requireOrigin && this.#dialect.originElement !== undefined
    if (originRequired && !/^\d{9}$/.test(submission.originCode ?? '')) return 'origin'
    if (this.#transactions.has(submission.transactionId)) return 'duplicate'
    if (this.#state.receipts.counters.receiptsPending >= maxPending) return 'throttled'
    if (!this.#state.withinRate()) return 'throttled'
    const { refuse } = behaviour
    if (refuse !== undefined && this.#dialect.refusals[refuse.refusal] === undefined) return undefined
    return refuse !== undefined && this.#state.refusesTry(key, refuse.tries) ? refuse.refusal : undefined
  }

  #remember(transactionId: string): void {
    if (this.#options.rememberTransactions === 0) return
    makeRoom(this.#transactions, this.#options.rememberTransactions)
    this.#transactions.add(transactionId)
  }

  #messageId(): string {
    const number = this.#state.numbers.next()
    return this.#options.dialect === 'kt' ? `01210006_${number}` : String(number)
  }

  #record(id: string, submission: Submission, key: string): void {
    const { transactionId, from, callback, to, originCode, subject, parts, strictCharset } = submission
    const known = { transactionId, from, callback, recipients: to, originCode, subject, parts, strictCharset }
    this.#state.log.add({ id, to: to[0]!, key, ...known }, submission.textLength)
  }

  #answer(behaviour: Behaviour, body: string): HttpAnswer {
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

  #codeOf(ending: Ending): Code {
    const code = this.#dialect.endings[ending]
    if (this.#options.dialect !== 'lgu' || ending !== 'delivered') return code
    return [this.#options.lguSuccess, code[1]]
  }

  /** Sends one report after the other; resolves when the last one is acknowledged or given up. */
  async #report(messageId: string, submission: Submission, behaviour: Behaviour): Promise<void> {
    const { reportUrl, lateMs, receiptDelayMs, dialect } = this.#options
    if (reportUrl === undefined || !submission.wantsReport) return
    const delayMs = behaviour.late ? lateMs : receiptDelayMs
    const headers = { 'content-type': `text/xml; charset="${this.#dialect.charset}"`, soapaction: '""' }
    for (const ending of behaviour.reports) {
      const sent = submission.to.map((to) => {
        const transactionId = this.#state.numbers.next().toString(36)
        const from = submission.callback ?? submission.from
        const code = this.#codeOf(ending)
        const report = { transactionId, messageId, from, to, code, at: new Date() }
        const body = reportRequest(dialect, this.#dialect, report)
        return this.#state.receipts.send({ url: reportUrl, headers, body }, delayMs)
      })
      await Promise.all(sent)
    }
  }
}

/** What makes two submissions the same message: everything but the TransactionID. */
function contentKey({ from, callback, to, subject, parts }: Submission): string {
  const digests = parts.map(({ contentType, sha256 }) => [contentType, sha256])
  const known = JSON.stringify([from, callback, to, subject, digests])
  return createHash('sha256').update(known).digest('base64')
}
