/**
 * Carries out the behaviour of a send request: refuses or accepts it, responds, and sends its statuses and
 * replies.
 */
import { createHash } from 'node:crypto'
import type { CarrierState } from '../shared/carrier-state.ts'
import { json } from '../shared/http-server.ts'
import type { HttpOutcome, HttpResponse } from '../shared/http-server.ts'
import type { Fields } from '../shared/json-body.ts'
import { evictOldest } from '../shared/evict-oldest.ts'
import type { LogEntry } from '../shared/received-log.ts'
import { behaviourFor } from './behaviours.ts'
import type { Behaviour } from './behaviours.ts'
import { maapCodes, getHttpStatus } from './codes.ts'
import type { MaapCode, MaapCodePair } from './codes.ts'
import type { MaapReplies, ReplyKind } from './replies.ts'
import type { MaapSendRequest } from './requests.ts'
import { mnos } from './settings.ts'
import type { MaapOptions, Mno } from './settings.ts'
import { carrierStatus, relayStatus } from './statuses.ts'
import type { MaapOutcome, StatusQuery } from './statuses.ts'

export interface MaapEntry extends LogEntry {
  readonly chatbotId: string
  readonly messagebaseId: string
  readonly advertising: boolean
  readonly body: unknown
  /** Request as received. */
  readonly request: Fields
}

const THROTTLED: MaapCodePair = ['50201', '72104']
const DUPLICATE: MaapCodePair = ['55806', '71003']
const SYSTEM: MaapCodePair = ['59001', '71001']
const jsonType = { 'content-type': 'application/json; charset=utf-8' }

export class MaapSender {
  readonly #options: MaapOptions
  readonly #state: CarrierState<MaapEntry>
  readonly #query: StatusQuery
  readonly #replies: MaapReplies
  readonly #ids = new Set<string>()

  constructor(
    options: MaapOptions,
    state: CarrierState<MaapEntry>,
    query: StatusQuery,
    replies: MaapReplies,
  ) {
    this.#options = options
    this.#state = state
    this.#query = query
    this.#replies = replies
  }

  get isRelay(): boolean {
    return this.#options.carrier === 'kt-relay'
  }

  forget(): void {
    this.#ids.clear()
  }

  error(code: MaapCode): HttpResponse {
    const status = getHttpStatus(code)
    const body = { status: String(status), error: { code, message: maapCodes[code] } }
    return json(this.#options.always200 ? 200 : status, body)
  }

  /** Refuses the request and counts it as refused or throttled. */
  refuse(code: MaapCode): HttpResponse {
    this.#state.counters[THROTTLED.includes(code) ? 'throttled' : 'refused']++
    return this.error(code)
  }

  /**
   * Handles the request and counts it in exactly one counter. `failure` is a code that the relay returns in a
   * status.
   */
  async send(request: MaapSendRequest, failure: MaapCode | undefined): Promise<HttpOutcome> {
    const behaviour = behaviourFor(request.to)
    const key = contentKey(request)
    const refusal = this.#checkRefusal(request, behaviour, key)
    if (refusal !== undefined) return this.refuse(refusal)
    const { counters, log } = this.#state
    if (!behaviour.accepts) {
      counters.abandoned++
      return 'disconnect'
    }
    counters.accepted++
    this.#remember(request.id)
    const { id, to, chatbotId, messagebaseId, header, body, fields, bytes } = request
    const entry = { chatbotId, messagebaseId, advertising: header === '1', body, request: fields }
    log.add({ id, to, key, ...entry }, bytes)
    const statusesSent = this.#sendStatuses(request, behaviour, failure)
    if (behaviour.answer === 'after its status') {
      await Promise.race([statusesSent, this.#state.after(this.#options.earlyMs)])
    }
    if (behaviour.answer === 'slowly') await this.#state.after(this.#options.slowMs)
    return this.#answer(request, behaviour)
  }

  /** Posts a user message, if there is a `replyUrl`. Resolves true once it is acknowledged, otherwise false. */
  async reply(kind: ReplyKind, from: string, chatbotId: string, mno: Mno): Promise<boolean> {
    const { replyUrl } = this.#options
    if (replyUrl === undefined) return false
    const url = this.isRelay ? replyUrl : `${replyUrl}/${mno}`
    return this.#state.receipts.send({
      url,
      headers: jsonType,
      body: this.#replies.compose(kind, from, chatbotId),
    })
  }

  /**
   * Returns the carrier of a recipient: at the relay `home` or else the one selected by the number, otherwise this carrier.
   */
  selectMno(to: string, home?: Mno): Mno {
    if (!this.isRelay) return this.#options.carrier.toUpperCase() as Mno
    return home ?? mnos[Number(to.slice(-2)) % mnos.length]!
  }

  #code([carrier, relay]: MaapCodePair): MaapCode {
    return this.isRelay ? relay : carrier
  }

  #misses({ home }: Behaviour): boolean {
    return !this.isRelay && home !== undefined && home !== this.selectMno('')
  }

  #checkRefusal(request: MaapSendRequest, behaviour: Behaviour, key: string): MaapCode | undefined {
    const { maxPending, missBy } = this.#options
    if (this.#ids.has(request.id)) return this.#code(DUPLICATE)
    if (this.#state.receipts.counters.receiptsPending >= maxPending) return this.#code(THROTTLED)
    if (!this.#state.takeRateToken()) return this.#code(THROTTLED)
    if (missBy === 'answer' && this.#misses(behaviour)) return '54001'
    const { refuse } = behaviour
    return refuse !== undefined && this.#state.shouldRefuseTry(key, refuse.tries)
      ? this.#code(refuse.code)
      : undefined
  }

  #remember(id: string): void {
    if (this.#options.rememberIds === 0) return
    evictOldest(this.#ids, this.#options.rememberIds)
    this.#ids.add(id)
  }

  #answer(request: MaapSendRequest, { answer, warns }: Behaviour): HttpOutcome {
    const data = this.isRelay ? { msgId: request.id } : { clientMsgId: request.id }
    const reason = warns ? { reason: { code: '51104', message: maapCodes['51104'] } } : {}
    const accepted = json(200, { status: '200', data, ...reason })
    switch (answer) {
      case 'never':
        return 'hang'
      case 'by disconnecting':
        return 'disconnect'
      case 'HTTP 500':
        return this.error(this.#code(SYSTEM))
      case 'broken JSON':
        return { ...accepted, body: String(accepted.body).slice(0, -10) }
      case 'at once':
      case 'slowly':
      case 'after its status':
        return accepted
    }
  }

  /**
   * Sends the statuses, then the replies, in order. Resolves when the last one is acknowledged or abandoned; statuses for
   * queries are only queued.
   */
  async #sendStatuses(
    request: MaapSendRequest,
    behaviour: Behaviour,
    failure: MaapCode | undefined,
  ): Promise<void> {
    const { statuses, replies, late, home, legacyFails } = behaviour
    const delayMs = late ? this.#options.lateMs : this.#options.receiptDelayMs
    const mno = this.selectMno(request.to, home)
    for (const status of statuses) {
      const missed = this.#misses(behaviour) ? '54001' : failure
      const code = missed ?? (status === 'success' ? undefined : this.#code(status))
      await this.#sendStatus(request, { code, mno, legacyFails }, delayMs)
    }
    if (failure === undefined)
      for (const kind of replies) await this.reply(kind, request.to, request.chatbotId, mno)
  }

  async #sendStatus(request: MaapSendRequest, outcome: MaapOutcome, delayMs: number): Promise<void> {
    const { statusUrl, appendCarrier, clientId } = this.#options
    if (this.isRelay) {
      const status = relayStatus(request, outcome, clientId ?? 'rcsId')
      if (statusUrl === undefined) return this.#query.add(status, delayMs)
      this.#query.saveStatus(status)
      await this.#post(statusUrl, status, delayMs)
    } else if (statusUrl !== undefined) {
      const url = appendCarrier ? `${statusUrl}/${outcome.mno}` : statusUrl
      await this.#post(url, carrierStatus(request, outcome), delayMs)
    }
  }

  async #post(url: string, status: object, delayMs: number): Promise<void> {
    await this.#state.receipts.send({ url, headers: jsonType, body: JSON.stringify([status]) }, delayMs)
  }
}

/** Identifies a message by all fields except the message id. */
function contentKey({ id, fields }: MaapSendRequest): string {
  const content = JSON.stringify(fields, (name, value: unknown) =>
    (name === 'clientMsgId' || name === 'msgId') && value === id ? undefined : value,
  )
  return createHash('sha256').update(content).digest('base64')
}
