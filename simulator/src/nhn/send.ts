/**
 * Carries out the behaviour of a send request: refuses or accepts it, responds, and posts the results of its
 * recipients.
 */
import type { CarrierState } from '../shared/carrier-state.ts'
import type { HttpOutcome, HttpResponse } from '../shared/http-server.ts'
import { toObject, toText, toObjects } from '../shared/json-body.ts'
import type { Fields } from '../shared/json-body.ts'
import { eucKrBytes, koreanTime } from '../shared/korean.ts'
import { evictOldest } from '../shared/evict-oldest.ts'
import { respondToSubmission, contentKey, refuseSubmission } from '../shared/provider-submission.ts'
import type { LogEntry } from '../shared/received-log.ts'
import type { SentMessages } from '../shared/sent-messages.ts'
import { behaviourFor } from './behaviours.ts'
import type { NhnCodePair } from './behaviours.ts'
import { kakaoCodes, smsCodes } from './codes.ts'
import type { KakaoCode, SmsCode } from './codes.ts'
import { isSms, kakaoReply, resultHook, smsReply } from './messages.ts'
import type { NhnMessage, NhnProduct } from './messages.ts'
import type { NhnOptions } from './settings.ts'
import { checkKakaoRecipient } from './validate-alimtalk.ts'
import { checkSmsRecipient, smsNumber } from './validate-sms.ts'

export interface NhnEntry extends LogEntry {
  readonly product: NhnProduct
  readonly groupingKey: string | null
  readonly text: string
  /** Whether the text exceeds the deliverable length of an SMS, LMS or MMS. */
  readonly truncated: boolean
  /** Whether KakaoTalk Bizmessage would send an SMS if the message failed. */
  readonly fallback: boolean
  readonly request: Fields
}

interface Recipient {
  readonly fields: Fields
  readonly to: string
  readonly code: SmsCode | KakaoCode
}

const MAX_KEYS = 100_000
const deliveredBytes: Readonly<Record<NhnProduct, number>> = {
  sms: 90,
  mms: 2000,
  alimtalk: Infinity,
  brandmessage: Infinity,
}

export class NhnSender {
  readonly #options: NhnOptions
  readonly #state: CarrierState<NhnEntry>
  readonly #messages: SentMessages<NhnMessage>
  readonly #idempotencyKeys = new Map<string, number>()
  fallbacks = 0

  constructor(options: NhnOptions, state: CarrierState<NhnEntry>, messages: SentMessages<NhnMessage>) {
    this.#options = options
    this.#state = state
    this.#messages = messages
  }

  reset(): void {
    this.#idempotencyKeys.clear()
    this.fallbacks = 0
  }

  /** Counts an invalid request and builds its response. */
  refuse(product: NhnProduct, code: SmsCode | KakaoCode): HttpResponse {
    this.#state.counters.refused++
    return reply(product, code)
  }

  /**
   * Handles a send request. The first recipient selects the response; each recipient selects its own result.
   */
  async send(product: NhnProduct, request: Fields, idempotencyKey: string | undefined): Promise<HttpOutcome> {
    const recipients = toObjects(request['recipientList']).map((fields) =>
      this.#readRecipient(product, fields),
    )
    const behaviour = behaviourFor(recipients[0]!.to)
    const carrier = { state: this.#state, options: this.#options }
    const recipientList = recipients.map(({ fields }) => withoutKey(fields))
    const key = contentKey(product, { ...request, recipientList })
    if (this.#wasUsed(idempotencyKey)) return this.refuse(product, -1005)
    const refusal = refuseSubmission(withoutMissingCode(behaviour, product), key, carrier)
    if (refusal === 'throttled') return { status: 429, body: 'Too Many Requests' }
    this.#remember(idempotencyKey)
    if (refusal === 'abandoned') return 'disconnect'
    if (refusal !== undefined) {
      const code = pick(refusal, product)
      return reply(product, code, code === -9999 ? 500 : 200)
    }
    const requestId = this.#newRequestId()
    const reported = Promise.all(
      recipients.map((recipient, index) => this.#accept(product, request, recipient, requestId, index + 1)),
    )
    const isRefused = recipients.every(({ code }) => code !== 0)
    this.#state.counters[isRefused ? 'refused' : 'accepted']++
    const answers = {
      accepted: sendReply(product, request, recipients, requestId),
      serverError: reply(product, -9999, 500),
      reported,
    }
    return respondToSubmission(behaviour, answers, carrier)
  }

  /** Posts an event to the webhook, if there is one. Resolves when it is acknowledged or abandoned. */
  async post(
    event: string,
    product: NhnProduct,
    hook: (hookId: string) => Fields,
    delayMs = 0,
  ): Promise<void> {
    const { webhookUrl: url, webhookSignature: signature, appKey = 'any' } = this.#options
    if (url === undefined) return
    const id = this.#newRequestId()
    const body = JSON.stringify({
      hooksId: id,
      webhookConfigId: 'simulator',
      productName: isSms(product) ? 'SMS' : 'KakaoTalk Bizmessage',
      appKey,
      event,
      hooks: [hook(`${id}H`)],
    })
    const headers = {
      'content-type': 'application/json;charset=UTF-8',
      ...(signature === undefined ? {} : { 'x-toast-webhook-signature': signature }),
    }
    await this.#state.receipts.send({ url, headers, body }, delayMs)
  }

  #readRecipient(product: NhnProduct, fields: Fields): Recipient {
    const sms = product === 'sms' || product === 'mms'
    const to = sms ? smsNumber(fields) : toText(fields['recipientNo'])
    const { refuseRecipient } = behaviourFor(to)
    const simulated = refuseRecipient === undefined ? 0 : pick(refuseRecipient, product)
    return {
      fields,
      to,
      code: (sms ? checkSmsRecipient(product, fields) : checkKakaoRecipient(fields)) || simulated,
    }
  }

  async #accept(
    product: NhnProduct,
    request: Fields,
    { fields, to, code }: Recipient,
    requestId: string,
    recipientSeq: number,
  ): Promise<void> {
    if (code !== 0) return
    const { results, late } = behaviourFor(to)
    const delayMs = late ? this.#options.lateMs : this.#options.receiptDelayMs
    const createdAt = Date.now()
    const groupingKey = toText(fields['recipientGroupingKey']) || null
    // The console setting applies if `resendParameter` is not set, and may enable the fallback.
    const fallback = !isSms(product) && toObject(fields['resendParameter'])['isResend'] !== false
    if (fallback) this.fallbacks++
    const message: NhnMessage = {
      id: `${requestId}/${recipientSeq}`,
      requestId,
      recipientSeq,
      product,
      to,
      groupingKey,
      createdAt,
      completesAt: results.length === 0 ? Infinity : createdAt + delayMs,
      resultCode: results[0]?.[isSms(product) ? 'sms' : 'kakao'] ?? '',
      fallback,
      request,
      recipient: fields,
    }
    this.#messages.add(message)
    this.#record(message)
    const { webhookTypo } = this.#options
    for (const result of results) {
      const resultCode = result[isSms(product) ? 'sms' : 'kakao']
      const hook = (hookId: string): Fields => resultHook({ ...message, resultCode }, hookId, webhookTypo)
      await this.post('MESSAGE_RESULT_UPDATE', product, hook, delayMs)
    }
  }

  #record({ id, to, product, groupingKey, fallback, request, recipient }: NhnMessage): void {
    const text = toText(request['body']) || toText(recipient['content']) || toText(request['content'])
    const key = contentKey(product, { ...request, recipientList: [withoutKey(recipient)] })
    const truncated = eucKrBytes(text) > deliveredBytes[product]
    this.#state.log.add({ id, to, key, product, groupingKey, text, truncated, fallback, request })
  }

  #wasUsed(key: string | undefined): boolean {
    const usedAt = key === undefined ? undefined : this.#idempotencyKeys.get(key)
    return usedAt !== undefined && Date.now() - usedAt < this.#options.idempotencyMs
  }

  #remember(key: string | undefined): void {
    if (key === undefined) return
    evictOldest(this.#idempotencyKeys, MAX_KEYS)
    this.#idempotencyKeys.set(key, Date.now())
  }

  /** Returns 25 characters: the time in seconds and a number. */
  #newRequestId(): string {
    const number = this.#state.numbers.next().toString(36).padStart(11, '0').slice(-11)
    return koreanTime().replace(/\D/g, '') + number
  }
}

/** Removes the grouping key, which is not part of the content. */
function withoutKey(recipient: Fields): Fields {
  return { ...recipient, recipientGroupingKey: undefined }
}

function pick(codes: NhnCodePair, product: NhnProduct): SmsCode | KakaoCode {
  return (isSms(product) ? codes.sms : codes.kakao) ?? 0
}

/** Removes a refusal without a code in this service, so the message is accepted. */
function withoutMissingCode<B extends { readonly refuse?: { readonly refusal: NhnCodePair | 'throttled' } }>(
  behaviour: B,
  product: NhnProduct,
): Omit<B, 'refuse'> & Partial<Pick<B, 'refuse'>> {
  const { refuse, ...rest } = behaviour
  if (refuse === undefined || refuse.refusal === 'throttled' || pick(refuse.refusal, product) !== 0)
    return behaviour
  return rest
}

function reply(product: NhnProduct, code: SmsCode | KakaoCode, status = 200): HttpResponse {
  return isSms(product) ? smsReply(code as SmsCode, {}, status) : kakaoReply(code as KakaoCode, {}, status)
}

function sendReply(
  product: NhnProduct,
  request: Fields,
  recipients: readonly Recipient[],
  requestId: string,
): HttpResponse {
  const sms = isSms(product)
  const isRefused = recipients.every(({ code }) => code !== 0)
  const results = recipients.map(({ fields, to, code }, index) => ({
    recipientNo: to,
    resultCode: code,
    resultMessage: sms ? smsCodes[code as SmsCode] : kakaoCodes[code as KakaoCode],
    recipientSeq: index + 1,
    recipientGroupingKey: fields['recipientGroupingKey'] ?? null,
  }))
  const common = { requestId, senderGroupingKey: request['senderGroupingKey'] ?? null }
  if (sms) {
    const data = { ...common, statusCode: isRefused ? '3' : '2', sendResultList: results }
    return smsReply(0, { body: { data } })
  }
  return kakaoReply(isRefused ? -1031 : 0, { message: { ...common, sendResults: results } })
}
