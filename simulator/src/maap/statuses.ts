/**
 * Message statuses and the responses of the relay's querymsgstatus: the newest status by message id; by RCS
 * id, batches of statuses not yet fetched, which can be fetched again under their query id. Bounded, except
 * the statuses not yet fetched, which the caller limits.
 */
import { Fifo } from '../shared/fifo.ts'
import { evictOldest } from '../shared/evict-oldest.ts'
import { TimerWheel } from '../shared/timer-wheel.ts'
import type { WebhookCounters } from '../shared/webhook-sender.ts'
import { maapCodes } from './codes.ts'
import type { MaapCode } from './codes.ts'
import { toServiceType } from './requests.ts'
import type { MaapSendRequest } from './requests.ts'
import { maapTime } from './settings.ts'
import type { Mno } from './settings.ts'

export interface MaapOutcome {
  /** Failure code of RCS; `undefined` if RCS delivered the message. */
  readonly code: MaapCode | undefined
  readonly mno: Mno
  readonly legacyFails: boolean
}

export type MaapStatus = Readonly<Record<string, unknown>>

const LEGACY_ERROR: MaapCode = '78004'

function toError(code: MaapCode): MaapStatus {
  return { code, message: maapCodes[code] }
}

export function carrierStatus(request: MaapSendRequest, { code, mno }: MaapOutcome): MaapStatus {
  return {
    clientMsgId: request.id,
    chatbotId: request.chatbotId,
    userContact: request.to,
    status: code === undefined ? 'success' : 'fail',
    mnoInfo: mno,
    sentTime: maapTime(),
    timestamp: maapTime(),
    ...(code === undefined ? {} : { error: toError(code) }),
  }
}

/**
 * With `legacy`, a message that RCS did not deliver is delivered as SMS, LMS or MMS, unless `legacyFails`. Its
 * status still carries the RCS error.
 */
export function relayStatus(request: MaapSendRequest, outcome: MaapOutcome, rcsId: string): MaapStatus {
  const { code, mno, legacyFails } = outcome
  const fellBack = code !== undefined && request.legacyType !== undefined
  const delivered = code === undefined || (fellBack && !legacyFails)
  return {
    rcsId,
    msgId: request.id,
    userContact: request.to,
    status: delivered ? 'success' : 'fail',
    serviceType: fellBack ? request.legacyType : toServiceType(request.product),
    mnoInfo: mno,
    sentTime: maapTime(),
    ...(code === undefined ? {} : { error: toError(code) }),
    ...(fellBack && legacyFails ? { legacyError: toError(LEGACY_ERROR) } : {}),
    timestamp: maapTime(),
    chatbotId: request.chatbotId,
    bill: delivered ? 1 : 0,
  }
}

const MAX_BATCHES = 100
const MAX_KNOWN = 10_000

export interface StatusBatch {
  readonly statusInfo: readonly MaapStatus[]
  readonly queryId: string
  readonly moreToSend: 0 | 1
}

export class StatusQuery {
  readonly #batchSize: number
  readonly #counters: () => WebhookCounters
  readonly #waiting = new Fifo<MaapStatus>()
  readonly #newest = new Map<string, MaapStatus>()
  readonly #batches = new Map<string, StatusBatch>()
  readonly #timers = new TimerWheel()

  constructor(batchSize: number, counters: () => WebhookCounters) {
    this.#batchSize = batchSize
    this.#counters = counters
  }

  /** Stores the status for queries by message id. */
  saveStatus(status: MaapStatus): void {
    const id = String(status['msgId'])
    this.#newest.delete(id)
    evictOldest(this.#newest, MAX_KNOWN)
    this.#newest.set(id, status)
  }

  /** Queues the status to be fetched, for relays without a webhook. */
  add(status: MaapStatus, delayMs: number): void {
    this.#counters().receiptsPending++
    const arrive = (): void => {
      this.saveStatus(status)
      this.#waiting.push(status)
    }
    if (delayMs > 0) this.#timers.after(delayMs, arrive)
    else arrive()
  }

  byId(msgId: string): MaapStatus | undefined {
    return this.#newest.get(msgId)
  }

  fetch(queryId: string, isRepeat: boolean): StatusBatch | MaapCode {
    const earlierBatch = this.#batches.get(queryId)
    const counters = this.#counters()
    if (isRepeat) {
      if (earlierBatch === undefined) return '79011'
      counters.receiptsSent += earlierBatch.statusInfo.length
      counters.receiptsRepeated += earlierBatch.statusInfo.length
      return earlierBatch
    }
    if (earlierBatch !== undefined) return '79007'
    const statusInfo: MaapStatus[] = []
    while (this.#waiting.size > 0 && statusInfo.length < this.#batchSize)
      statusInfo.push(this.#waiting.shift()!)
    counters.receiptsSent += statusInfo.length
    counters.receiptsAnswered += statusInfo.length
    counters.receiptsPending -= statusInfo.length
    const batch: StatusBatch = { statusInfo, queryId, moreToSend: this.#waiting.size > 0 ? 1 : 0 }
    evictOldest(this.#batches, MAX_BATCHES)
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
