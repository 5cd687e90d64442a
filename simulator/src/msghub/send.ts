/** Carries out the behaviour of a send request: refuses or accepts it, responds and reports. */
import { createHash } from 'node:crypto'
import type { CarrierState } from '../shared/carrier-state.ts'
import type { HttpOutcome, HttpResponse } from '../shared/http-server.ts'
import type { Fields } from '../shared/json-body.ts'
import { evictOldest } from '../shared/evict-oldest.ts'
import type { LogEntry } from '../shared/received-log.ts'
import { TimerWheel } from '../shared/timer-wheel.ts'
import { behaviourFor, unregisteredSender } from './behaviours.ts'
import type { Behaviour } from './behaviours.ts'
import { describe, msghubReply, resultCodes } from './codes.ts'
import type { ResponseCode, ResultCode } from './codes.ts'
import { koreanTime } from '../shared/korean.ts'
import type { MsghubReplies } from './replies.ts'
import type { ReportQueue } from './report-queue.ts'
import type { MsghubOptions } from './settings.ts'
import type { Recipient, MsghubSendRequest } from './validate.ts'

const MAX_SENT = 100_000
const telcos = ['SKT', 'KT', 'LGU'] as const
const serverError: HttpResponse = { status: 500, body: 'Internal Server Error' }

export interface MsghubEntry extends LogEntry {
  readonly cliKey: string
  readonly ch: string
  readonly callback: string
  readonly msg: string
  readonly mergeData: Fields
  /** Request as received. */
  readonly request: Fields
}

interface SentMessage {
  readonly acceptedAt: number
  readonly state: Fields
}

/** Identifies the message to one recipient by the fields of the request, the number and the merge data. */
function contentKey({ fields }: MsghubSendRequest, { phone, mergeData }: Recipient): string {
  const content = { ...fields, recvInfoLst: [phone, mergeData] }
  return createHash('sha256').update(JSON.stringify(content)).digest('base64')
}

export class MsghubSender {
  readonly #options: MsghubOptions
  readonly #state: CarrierState<MsghubEntry>
  readonly #queue: ReportQueue
  readonly #replies: MsghubReplies
  readonly #timers = new TimerWheel()
  /** Accepted messages by client key, oldest first. */
  readonly #sent = new Map<string, SentMessage>()

  constructor(
    options: MsghubOptions,
    state: CarrierState<MsghubEntry>,
    queue: ReportQueue,
    replies: MsghubReplies,
  ) {
    this.#options = options
    this.#state = state
    this.#queue = queue
    this.#replies = replies
  }

  /**
   * Handles the recipients and counts each in exactly one counter. The first recipient selects the response;
   * each recipient selects the result of its own message.
   */
  async send(request: MsghubSendRequest): Promise<HttpOutcome> {
    const { recipients } = request
    const { counters } = this.#state
    recipients.forEach(() => this.#state.countSubmit())
    const behaviour = behaviourFor(recipients[0].phone)
    const failure = this.#failureOf(behaviour, contentKey(request, recipients[0]))
    if (failure !== undefined) {
      counters[failure === '29002' ? 'throttled' : 'refused'] += recipients.length
      return failure === '29002' ? msghubReply('29002') : serverError
    }
    if (!behaviour.accepts) {
      counters.abandoned += recipients.length
      return 'disconnect'
    }
    const reports: Promise<unknown>[] = []
    const results = recipients.map((recipient) => {
      const code = this.#refusalOf(recipient)
      const msgKey = this.#state.numbers.next().toString(36)
      if (code === undefined) reports.push(this.#accept(request, recipient, msgKey))
      else counters.refused++
      return { recipient, msgKey, code: code ?? '10000' }
    })
    if (behaviour.response === 'after the report')
      await Promise.race([Promise.all(reports), this.#state.after(this.#options.earlyMs)])
    if (behaviour.response === 'slowly') await this.#state.after(this.#options.slowMs)
    // A request without an accepted recipient gets the code of the first one, with its HTTP status.
    if (reports.length === 0) return msghubReply(results[0]!.code)
    const data = results.map(({ recipient: { cliKey, phone }, msgKey, code }) => ({
      cliKey,
      msgKey: code === '10000' ? msgKey : null,
      phone,
      code,
      message: describe(code),
    }))
    return finish(msghubReply('10000', data), behaviour)
  }

  /** Returns the entry of a client key for `POST /msg/v1/sent`. */
  find(cliKey: string, reqDt: string): Fields {
    const sent = this.#sent.get(cliKey)
    if (Date.now() - Date.parse(reqDt) > 90 * 86_400_000) return { cliKey, status: 'OVER_DATE' }
    if (sent === undefined || koreanTime(sent.acceptedAt).slice(0, 10) !== reqDt)
      return { cliKey, status: 'INVALID_KEY' }
    return sent.state
  }

  clear(): void {
    this.#timers.clear()
    this.#sent.clear()
  }

  #failureOf({ refuse }: Behaviour, key: string): '29002' | 'HTTP 500' | undefined {
    const { receiptsPending } = this.#state.receipts.counters
    if (receiptsPending >= this.#options.maxPending || !this.#state.takeRateToken()) return '29002'
    if (refuse?.code !== '29002' && refuse?.code !== 'HTTP 500') return undefined
    return this.#state.shouldRefuseTry(key, refuse.tries) ? refuse.code : undefined
  }

  #refusalOf({ cliKey, phone }: Recipient): ResponseCode | undefined {
    const sent = this.#sent.get(cliKey)
    if (sent !== undefined && Date.now() - sent.acceptedAt < this.#options.duplicateMs) return '29005'
    const code = behaviourFor(phone).refuse?.code
    return code === '29002' || code === 'HTTP 500' ? undefined : code
  }

  /** Resolves when the reports are acknowledged, abandoned or queued for polling. */
  #accept(request: MsghubSendRequest, recipient: Recipient, msgKey: string): Promise<unknown> {
    const { ch, callback, msg, fields } = request
    const { cliKey, phone, mergeData } = recipient
    this.#state.counters.accepted++
    const key = contentKey(request, recipient)
    const bytes = JSON.stringify(fields).length
    this.#state.log.add(
      { id: msgKey, to: phone, key, cliKey, ch, callback, msg, mergeData, request: fields },
      bytes,
    )
    this.#sent.delete(cliKey)
    evictOldest(this.#sent, MAX_SENT)
    this.#setState(cliKey, { cliKey, msgKey, ch, status: 'REG' })
    const { results, late, replies } = behaviourFor(phone)
    const delayMs = late ? this.#options.lateMs : this.#options.receiptDelayMs
    if (results.length === 0) this.#setState(cliKey, { cliKey, msgKey, ch, status: 'ING' })
    if (replies) void this.#replies.add(phone, callback, 'reply')
    const { sender } = this.#options
    const isRefused = sender !== undefined && callback !== '' && callback !== sender
    return Promise.all(
      (isRefused ? [unregisteredSender] : results).map((result) => {
        const report = this.#buildReport(request, recipient, msgKey, result[request.channel], delayMs)
        const done = (): void => this.#setState(cliKey, { ...report, status: 'DONE' })
        if (delayMs === 0) done()
        else this.#timers.after(delayMs, done)
        return this.#sendReport(report, delayMs)
      }),
    )
  }

  #setState(cliKey: string, state: Fields): void {
    this.#sent.set(cliKey, { acceptedAt: this.#sent.get(cliKey)?.acceptedAt ?? Date.now(), state })
  }

  /** A failed message with a fallback is reported as delivered on the channel of the fallback. */
  #buildReport(
    { ch, fallback }: MsghubSendRequest,
    { cliKey, phone, userCustomFields }: Recipient,
    msgKey: string,
    code: ResultCode,
    delayMs: number,
  ): Fields {
    const telco = telcos[Number(phone.at(-1)) % telcos.length] ?? 'LGU'
    const fallsBack = fallback !== undefined && code !== '10000'
    const resultCode = fallsBack ? '10000' : code
    return {
      msgKey,
      cliKey,
      ch: fallsBack ? fallback : ch,
      resultCode,
      resultCodeDesc: resultCodes[resultCode],
      productCode: fallsBack ? fallback : ch,
      fbReasonLst: fallsBack ? [{ ch, fbResultCode: code, fbResultDesc: resultCodes[code], telco }] : null,
      telco,
      rptDt: koreanTime(Date.now() + delayMs).replace(' ', 'T'),
      userCustomFields,
    }
  }

  async #sendReport(report: Fields, delayMs: number): Promise<void> {
    const { reportUrl } = this.#options
    if (reportUrl === undefined) return this.#queue.add(report, delayMs)
    const body = JSON.stringify({ rptCnt: 1, rptLst: [report] })
    await this.#state.receipts.send(
      { url: reportUrl, headers: { 'content-type': 'application/json' }, body },
      delayMs,
    )
  }
}

function finish(success: HttpResponse, { response }: Behaviour): HttpOutcome {
  switch (response) {
    case 'never':
      return 'hang'
    case 'by disconnecting':
      return 'disconnect'
    case 'HTTP 500':
      return serverError
    case 'broken JSON':
      return { ...success, body: String(success.body).slice(0, -10) }
    case 'immediately':
    case 'slowly':
    case 'after the report':
      return success
  }
}
