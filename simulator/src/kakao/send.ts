/**
 * Carries out the behaviour of a send request: refuses or accepts it, responds, and queues its results if they are
 * polled.
 */
import { createHash } from 'node:crypto'
import type { CarrierState } from '../shared/carrier-state.ts'
import { json } from '../shared/http-server.ts'
import type { HttpOutcome, HttpResponse } from '../shared/http-server.ts'
import type { LogEntry } from '../shared/received-log.ts'
import { behaviourFor } from './behaviours.ts'
import type { Behaviour } from './behaviours.ts'
import { kakaoResultCodes } from './codes.ts'
import type { KakaoResultCode } from './codes.ts'
import type { ResultQueue } from './result-queue.ts'
import type { KakaoOptions } from './settings.ts'
import type { Fields } from '../shared/json-body.ts'
import { koreanTime } from '../shared/korean.ts'
import { evictOldest } from '../shared/evict-oldest.ts'
import type { KakaoSendRequest } from './validate.ts'

export interface KakaoEntry extends LogEntry {
  readonly kind: string
  readonly messageType: string
  readonly serialNumber: string
  readonly templateCode: string | null
  readonly message: string
  readonly responseMethod: string
  /** Request as received. */
  readonly request: Fields
}

function isNight(): boolean {
  const time = koreanTime().slice(11, 16)
  return time >= '20:50' || time < '08:00'
}

export function bizMessageReply(code: KakaoResultCode, status = 200): HttpResponse {
  return json(status, { code, received_at: koreanTime(), message: kakaoResultCodes[code] })
}

export class KakaoSender {
  readonly #options: KakaoOptions
  readonly #state: CarrierState<KakaoEntry>
  readonly #queue: ResultQueue
  readonly #serials = new Set<string>()

  constructor(options: KakaoOptions, state: CarrierState<KakaoEntry>, queue: ResultQueue) {
    this.#options = options
    this.#state = state
    this.#queue = queue
  }

  forget(): void {
    this.#serials.clear()
  }

  /** Handles the request and counts it in exactly one counter. */
  async send(request: KakaoSendRequest, fields: Fields): Promise<HttpOutcome> {
    const { counters } = this.#state
    const behaviour = behaviourFor(request.to)
    const key = contentKey(fields)
    const refusal = this.#checkRefusal(request, behaviour, key)
    if (refusal !== undefined) return this.refuse(refusal)
    if (!behaviour.accepts) {
      counters.abandoned++
      return 'disconnect'
    }
    counters.accepted++
    const { kind, messageType, serialNumber, templateCode, message, responseMethod, to } = request
    const entry = { kind, messageType, serialNumber, templateCode, message, responseMethod }
    this.#state.log.add({ id: serialNumber, to, key, ...entry, request: fields }, request.bytes)
    if (responseMethod === 'polling') this.#queueResults(request, behaviour)
    else if (behaviour.late) await this.#state.after(this.#options.lateMs)
    if (behaviour.answer === 'slowly') await this.#state.after(this.#options.slowMs)
    return this.#answer(request, behaviour)
  }

  refuse(code: KakaoResultCode | 'throttled'): HttpResponse {
    const { throttleStatus, throttleCode } = this.#options
    this.#state.counters[code === 'throttled' ? 'throttled' : 'refused']++
    if (code !== 'throttled') return bizMessageReply(code, code === '9999' ? 500 : 200)
    return json(throttleStatus, {
      code: throttleCode,
      received_at: koreanTime(),
      message: kakaoResultCodes['9998'],
    })
  }

  #checkRefusal(
    request: KakaoSendRequest,
    { refuse }: Behaviour,
    key: string,
  ): KakaoResultCode | 'throttled' | undefined {
    const duplicateCode = request.kind === 'brandmessage' ? '4131' : '3012'
    if (this.#serials.has(request.serialNumber)) return duplicateCode
    if (this.#state.receipts.counters.receiptsPending >= this.#options.maxPending) return 'throttled'
    if (!this.#state.takeRateToken()) return 'throttled'
    if (refuse?.code === 'throttled' && this.#state.shouldRefuseTry(key, refuse.tries)) return 'throttled'
    if (this.#options.nightBlock && request.advertising && isNight()) return '3022'
    // Requests refused above do not use up their serial number.
    this.#remember(request.serialNumber)
    if (refuse === undefined || refuse.code === 'throttled') return undefined
    return this.#state.shouldRefuseTry(key, refuse.tries) ? refuse.code : undefined
  }

  #remember(serialNumber: string): void {
    if (this.#options.rememberSerials === 0) return
    evictOldest(this.#serials, this.#options.rememberSerials)
    this.#serials.add(serialNumber)
  }

  #answer(request: KakaoSendRequest, { answer, results }: Behaviour): HttpOutcome {
    // The response carries the result unless results are polled.
    const code = request.responseMethod === 'polling' ? '0000' : results[0]
    if (code === undefined) return 'hang'
    switch (answer) {
      case 'never':
        return 'hang'
      case 'by disconnecting':
        return 'disconnect'
      case 'HTTP 500':
        return bizMessageReply('9999', 500)
      case 'broken JSON':
        return { ...bizMessageReply(code), body: String(bizMessageReply(code).body).slice(0, -10) }
      case 'at once':
      case 'slowly':
        return bizMessageReply(code)
    }
  }

  #queueResults({ serialNumber, channelKey }: KakaoSendRequest, { results, late }: Behaviour): void {
    const delayMs = late ? this.#options.lateMs : this.#options.receiptDelayMs
    for (const status of results)
      this.#queue.add(channelKey, { serial_number: serialNumber, status, received_at: koreanTime() }, delayMs)
  }
}

/** Identifies a message by all fields except the serial number. */
function contentKey(fields: Fields): string {
  const content = JSON.stringify({ ...fields, serial_number: undefined })
  return createHash('sha256').update(content).digest('base64')
}
