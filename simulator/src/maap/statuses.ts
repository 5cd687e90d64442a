/**
 * The statuses of messages, and what the relay's querymsgstatus gives: by message id the newest one, by RCS id those
 * that were not fetched yet, in batches that may be fetched again under their query id. Bounded.
 */
import { Fifo } from '../shared/fifo.ts'
import { makeRoom } from '../shared/make-room.ts'
import { TimerWheel } from '../shared/timer-wheel.ts'
import type { WebhookCounters } from '../shared/webhook-sender.ts'
import { codes } from './codes.ts'
import type { Code } from './codes.ts'
import { serviceTypeOf } from './requests.ts'
import type { SendRequest } from './requests.ts'
import { koreanTime } from './settings.ts'
import type { Mno } from './settings.ts'

export interface Outcome {
  /** Undefined when delivered by RCS. */
  readonly code: Code | undefined
  readonly mno: Mno
  readonly legacyFails: boolean
}

export type Status = Readonly<Record<string, unknown>>

const LEGACY_ERROR: Code = '78004'

function errorOf(code: Code): Status {
  return { code, message: codes[code] }
}

export function carrierStatus(request: SendRequest, { code, mno }: Outcome): Status {
  return {
    clientMsgId: request.id,
    chatbotId: request.chatbotId,
    userContact: request.to,
    status: code === undefined ? 'success' : 'fail',
    mnoInfo: mno,
    sentTime: koreanTime(),
    timestamp: koreanTime(),
    ...(code === undefined ? {} : { error: errorOf(code) }),
  }
}

/** With `legacy`, a message that RCS did not deliver is delivered as SMS, LMS or MMS and names the error of RCS. */
export function relayStatus(request: SendRequest, outcome: Outcome, rcsId: string): Status {
  const { code, mno, legacyFails } = outcome
  const fellBack = code !== undefined && request.legacyType !== undefined
  const delivered = code === undefined || (fellBack && !legacyFails)
  return {
    rcsId,
    msgId: request.id,
    userContact: request.to,
    status: delivered ? 'success' : 'fail',
    serviceType: fellBack ? request.legacyType : serviceTypeOf(request.product),
    mnoInfo: mno,
    sentTime: koreanTime(),
    ...(code === undefined ? {} : { error: errorOf(code) }),
    ...(fellBack && legacyFails ? { legacyError: errorOf(LEGACY_ERROR) } : {}),
    timestamp: koreanTime(),
    chatbotId: request.chatbotId,
    bill: delivered ? 1 : 0,
  }
}

const MAX_BATCHES = 100
const MAX_KNOWN = 10_000

export interface Batch {
  readonly statusInfo: readonly Status[]
  readonly queryId: string
  readonly moreToSend: 0 | 1
}

export class StatusQuery {
  readonly #batchSize: number
  readonly #counters: () => WebhookCounters
  readonly #waiting = new Fifo<Status>()
  readonly #newest = new Map<string, Status>()
  readonly #batches = new Map<string, Batch>()
  readonly #timers = new TimerWheel()

  constructor(batchSize: number, counters: () => WebhookCounters) {
    this.#batchSize = batchSize
    this.#counters = counters
  }

  /** Kept for a query by message id. */
  keep(status: Status): void {
    const id = String(status['msgId'])
    this.#newest.delete(id)
    makeRoom(this.#newest, MAX_KNOWN)
    this.#newest.set(id, status)
  }

  /** Waits to be fetched, because there is no webhook. */
  add(status: Status, delayMs: number): void {
    this.#counters().receiptsPending++
    const arrive = (): void => {
      this.keep(status)
      this.#waiting.push(status)
    }
    if (delayMs > 0) this.#timers.after(delayMs, arrive)
    else arrive()
  }

  byId(msgId: string): Status | undefined {
    return this.#newest.get(msgId)
  }

  fetch(queryId: string, again: boolean): Batch | Code {
    const before = this.#batches.get(queryId)
    const counters = this.#counters()
    if (again) {
      if (before === undefined) return '79011'
      counters.receiptsSent += before.statusInfo.length
      counters.receiptsRepeated += before.statusInfo.length
      return before
    }
    if (before !== undefined) return '79007'
    const statusInfo: Status[] = []
    while (this.#waiting.size > 0 && statusInfo.length < this.#batchSize)
      statusInfo.push(this.#waiting.shift()!)
    counters.receiptsSent += statusInfo.length
    counters.receiptsAnswered += statusInfo.length
    counters.receiptsPending -= statusInfo.length
    const batch: Batch = { statusInfo, queryId, moreToSend: this.#waiting.size > 0 ? 1 : 0 }
    makeRoom(this.#batches, MAX_BATCHES)
    this.#batches.set(queryId, batch)
    return batch
  }

  clear(): void {
    this.#timers.clear()
    this.#waiting.clear()
    this.#newest.clear()
    this.#batches.clear()
  }
}
