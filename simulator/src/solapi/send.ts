/** Carries out the behaviour of a send request: refuses or accepts it, responds and reports. */
import { createHash } from 'node:crypto'
import type { CarrierState } from '../shared/carrier-state.ts'
import { json } from '../shared/http-server.ts'
import type { HttpOutcome, HttpResponse } from '../shared/http-server.ts'
import type { Fields } from '../shared/json-body.ts'
import type { LogEntry } from '../shared/received-log.ts'
import { TimerWheel } from '../shared/timer-wheel.ts'
import { behaviourFor } from './behaviours.ts'
import type { Behaviour } from './behaviours.ts'
import { solapiCodes } from './codes.ts'
import type { SolapiCode } from './codes.ts'
import { statusChange } from './message-store.ts'
import type { MessageStore, StoredMessage } from './message-store.ts'
import type { SolapiOptions } from './settings.ts'
import { checkMessage } from './validate.ts'
import type { SolapiMessage } from './validate.ts'

export const ACCOUNT_ID = '12345678901234'

export interface SolapiEntry extends LogEntry {
  readonly type: string
  readonly from: string
  readonly text: string
  /** Message as received. */
  readonly request: Fields
}

export interface RegisteredMessage {
  readonly message: SolapiMessage
  readonly messageId: string
  readonly code: SolapiCode
}

export function error(status: number, errorCode: string, errorMessage: string): HttpResponse {
  return json(status, { errorCode, errorMessage })
}

/** Identifies a message by all fields except custom fields, which contain the client's reference. */
function contentKey({ fields }: SolapiMessage): string {
  return createHash('sha256')
    .update(JSON.stringify({ ...fields, customFields: undefined }))
    .digest('base64')
}

export class SolapiSender {
  readonly #options: SolapiOptions
  readonly #state: CarrierState<SolapiEntry>
  readonly #store: MessageStore
  readonly #isKnownFile: (fileId: string) => boolean
  readonly #timers = new TimerWheel()

  constructor(
    options: SolapiOptions,
    state: CarrierState<SolapiEntry>,
    store: MessageStore,
    isKnownFile: (fileId: string) => boolean,
  ) {
    this.#options = options
    this.#state = state
    this.#store = store
    this.#isKnownFile = isKnownFile
  }

  newId(prefix: 'G4V' | 'M4V'): string {
    const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
    return `${prefix}${day}${this.#state.numbers.next().toString(36).toUpperCase().padStart(18, '0')}`
  }

  /**
   * Registers the messages of one request and counts each in exactly one counter. The first recipient selects
   * the response; each recipient selects the result of its own message. `compose` builds the response.
   */
  async send(
    messages: readonly [SolapiMessage, ...SolapiMessage[]],
    allowDuplicates: boolean,
    compose: (groupId: string, registered: readonly RegisteredMessage[]) => HttpResponse,
  ): Promise<HttpOutcome> {
    const { counters } = this.#state
    messages.forEach(() => this.#state.countSubmit())
    const behaviour = behaviourFor(messages[0].to)
    const failure = this.#failureOf(behaviour, contentKey(messages[0]))
    if (failure === 'throttled') {
      counters.throttled += messages.length
      return error(this.#options.throttleStatus, 'TooManyRequests', 'too many requests')
    }
    if (failure === 'HTTP 500') {
      counters.refused += messages.length
      return error(500, 'InternalError', 'internal error')
    }
    if (!behaviour.accepts) {
      counters.abandoned += messages.length
      return 'disconnect'
    }
    const groupId = this.newId('G4V')
    const recipients = new Set<string>()
    const reports: Promise<unknown>[] = []
    const registered = messages.map((message): RegisteredMessage => {
      const messageId = this.newId('M4V')
      const isDuplicate = !allowDuplicates && recipients.has(message.to)
      recipients.add(message.to)
      const code = isDuplicate ? '1026' : this.#refusalOf(message)
      if (code !== undefined) {
        counters.refused++
        return { message, messageId, code }
      }
      reports.push(this.#accept(message, messageId, groupId))
      return { message, messageId, code: '2000' }
    })
    if (behaviour.response === 'after the report')
      await Promise.race([Promise.all(reports), this.#state.after(this.#options.earlyMs)])
    if (behaviour.response === 'slowly') await this.#state.after(this.#options.slowMs)
    return finish(compose(groupId, registered), behaviour)
  }

  #failureOf({ refuse }: Behaviour, key: string): 'throttled' | 'HTTP 500' | undefined {
    const { receipts } = this.#state
    if (receipts.counters.receiptsPending >= this.#options.maxPending || !this.#state.takeRateToken())
      return 'throttled'
    if (refuse?.code !== 'throttled' && refuse?.code !== 'HTTP 500') return undefined
    return this.#state.shouldRefuseTry(key, refuse.tries) ? refuse.code : undefined
  }

  #refusalOf(message: SolapiMessage): SolapiCode | undefined {
    const code = behaviourFor(message.to).refuse?.code
    const simulated = code === 'throttled' || code === 'HTTP 500' ? undefined : code
    return checkMessage(message, this.#options.sender, this.#isKnownFile) ?? simulated
  }

  /** Resolves when the reports are acknowledged or abandoned. */
  #accept(message: SolapiMessage, messageId: string, groupId: string): Promise<unknown> {
    const { to, from, type, country, text, fields } = message
    this.#state.counters.accepted++
    const bytes = JSON.stringify(fields).length
    this.#state.log.add(
      { id: messageId, to, key: contentKey(message), type, from, text, request: fields },
      bytes,
    )
    const now = new Date().toISOString()
    const stored: StoredMessage = {
      messageId,
      groupId,
      to,
      from,
      type,
      country,
      text,
      customFields: fields['customFields'] ?? {},
      dateCreated: now,
      dateUpdated: now,
      dateReported: null,
      statusCode: '2000',
      reason: solapiCodes['2000'],
      status: 'PENDING',
      replacement: false,
    }
    this.#store.add(stored)
    return this.#report(message, stored)
  }

  #report({ to, isKakao, hasReplacement }: SolapiMessage, stored: StoredMessage): Promise<unknown> {
    const { results, late } = behaviourFor(to)
    const delayMs = late ? this.#options.lateMs : this.#options.receiptDelayMs
    if (results.length === 0) this.#change(stored, '3000', false, delayMs)
    const reports = results.map(([text, kakao]) => {
      const code = isKakao ? kakao : text
      const replacement = hasReplacement && code !== '4000'
      return this.#change(stored, replacement ? '4000' : code, replacement, delayMs)
    })
    return Promise.all(reports.map((report) => this.#push(report, delayMs)))
  }

  /** Changes the status after `delayMs` and returns the message in its new state. */
  #change(stored: StoredMessage, code: SolapiCode, replacement: boolean, delayMs: number): StoredMessage {
    const change = (): void => void Object.assign(stored, statusChange(code, new Date()), { replacement })
    if (delayMs === 0) change()
    else this.#timers.after(delayMs, change)
    return { ...stored, ...statusChange(code, new Date(Date.now() + delayMs)), replacement }
  }

  async #push(report: StoredMessage, delayMs: number): Promise<void> {
    const { webhookUrl, webhookSecret } = this.#options
    if (webhookUrl === undefined) return
    const headers = {
      'content-type': 'application/json',
      'x-solapi-event-name': 'SINGLE-REPORT',
      'x-solapi-secret': createHash('sha1').update(webhookSecret).digest('hex'),
    }
    await this.#state.receipts.send({ url: webhookUrl, headers, body: JSON.stringify([report]) }, delayMs)
  }

  /** Drops the status changes that are not due yet. */
  clear(): void {
    this.#timers.clear()
  }
}

function finish(reply: HttpResponse, { response }: Behaviour): HttpOutcome {
  switch (response) {
    case 'never':
      return 'hang'
    case 'by disconnecting':
      return 'disconnect'
    case 'HTTP 500':
      return error(500, 'InternalError', 'internal error')
    case 'broken JSON':
      return { ...reply, body: String(reply.body).slice(0, -10) }
    case 'immediately':
    case 'slowly':
    case 'after the report':
      return reply
  }
}
