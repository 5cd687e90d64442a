/**
 * Simulates NHN Cloud Notification: SMS v3.0, alimtalk v2.3 and brand message v1.0 on one port, control on
 * another. Shares no code with the gateway.
 *
 * Sources: TOAST-DOCS/SMS (ko/api-guide.md, webhook.md, error-code.md, sending-policy.md) and
 * TOAST-DOCS/Alimtalk (ko/alimtalk-api-guide.md, friendtalkupgrade-api-guide.md, webhook-api-guide.md,
 * error-code.md), both of 2026-06-23.
 */
import { CarrierState } from './shared/carrier-state.ts'
import { startHttpCarrier } from './shared/http-carrier.ts'
import type { HttpOutcome, HttpResponse, HttpRequest } from './shared/http-server.ts'
import { parseFields } from './shared/json-body.ts'
import type { Fields } from './shared/json-body.ts'
import { koreanTime } from './shared/korean.ts'
import { evictOldest } from './shared/evict-oldest.ts'
import type { HttpCarrier } from './shared/running-carrier.ts'
import { SentMessages } from './shared/sent-messages.ts'
import type { KakaoCode, SmsCode } from './nhn/codes.ts'
import { BrandImages } from './nhn/images.ts'
import { NhnLookups } from './nhn/lookups.ts'
import { kakaoReply, smsReply } from './nhn/messages.ts'
import type { NhnMessage, NhnProduct } from './nhn/messages.ts'
import { NhnSender } from './nhn/send.ts'
import type { NhnEntry } from './nhn/send.ts'
import { defaults } from './nhn/settings.ts'
import type { NhnOptions } from './nhn/settings.ts'
import { checkAlimtalk } from './nhn/validate-alimtalk.ts'
import { checkBrand } from './nhn/validate-brand.ts'
import { checkSms, readSmsAttachment } from './nhn/validate-sms.ts'

export type { NhnEntry, NhnOptions }

const MAX_JSON_BYTES = 1_048_576
const MAX_FILES = 10_000

const servicePath =
  /^\/(sms\/v3\.0\/appKeys|alimtalk\/v2\.3\/appkeys|brand-message\/v1\.0\/appkeys)\/([^/]+)\/(.+)$/

class NhnServer {
  readonly state: CarrierState<NhnEntry>
  readonly sender: NhnSender
  readonly #options: NhnOptions
  readonly #messages = new SentMessages<NhnMessage>()
  readonly #lookups = new NhnLookups(this.#messages)
  readonly #images = new BrandImages()
  /** Attachment sizes by file id. */
  readonly #files = new Map<unknown, number>()
  #lastFile = 0

  constructor(options: NhnOptions) {
    this.#options = options
    this.state = new CarrierState(options, ({ status }) => status >= 200 && status < 300)
    this.sender = new NhnSender(options, this.state, this.#messages)
  }

  handle(request: HttpRequest): HttpOutcome | Promise<HttpOutcome> {
    const [, service, appKey, rest] = servicePath.exec(request.path) ?? []
    if (service === undefined || rest === undefined) return smsReply(-9998)
    const secretKey = request.headers['x-secret-key']
    const isAppKeyWrong = (this.#options.appKey ?? appKey) !== appKey
    const isSecretWrong = secretKey === undefined || (this.#options.secretKey ?? secretKey) !== secretKey
    if (service.startsWith('sms')) {
      // The SMS guide defines no code for a wrong secret key.
      return isAppKeyWrong || isSecretWrong ? smsReply(-1000) : this.#handleSms(rest, request)
    }
    if (isAppKeyWrong) return kakaoReply(-1000)
    if (isSecretWrong) return kakaoReply(-1001)
    return service.startsWith('alimtalk')
      ? this.#handleAlimtalk(rest, request)
      : this.#handleBrand(rest, request)
  }

  #handleSms(rest: string, request: HttpRequest): HttpOutcome | Promise<HttpOutcome> {
    const [, kind, requestId] = /^sender\/(sms|mms)(?:\/([^/]+))?$/.exec(rest) ?? []
    const product = kind as 'sms' | 'mms' | undefined
    if (request.method === 'GET') {
      if (rest === 'message-results') return this.#lookups.smsUpdates(request.query)
      if (product === undefined) return smsReply(-9998)
      return requestId === undefined
        ? this.#lookups.smsList(product, request.query)
        : this.#lookups.smsSingle(product, requestId, request.query)
    }
    if (request.method !== 'POST') return smsReply(-9998)
    if (rest === 'attachfile/binaryUpload') return this.#uploadAttachment(request)
    if (product === undefined || requestId !== undefined) return smsReply(-9998)
    return this.#send(product, request, (fields) =>
      checkSms(product, fields, this.#options, (id) => this.#files.get(id)),
    )
  }

  #handleAlimtalk(rest: string, request: HttpRequest): HttpOutcome | Promise<HttpOutcome> {
    const { method, query } = request
    if (method === 'GET' && rest === 'messages') return this.#lookups.kakaoList('alimtalk', query)
    if (method === 'GET' && rest === 'message-results') return this.#lookups.kakaoUpdates(query)
    if (method === 'GET' && rest.startsWith('messages/'))
      return this.#lookups.kakaoSingle('alimtalk', rest.slice('messages/'.length))
    const isRaw = rest === 'raw-messages'
    if (method !== 'POST' || (!isRaw && rest !== 'messages')) return kakaoReply(-9998)
    return this.#send('alimtalk', request, (fields) => checkAlimtalk(isRaw, fields, this.#options))
  }

  #handleBrand(rest: string, request: HttpRequest): HttpOutcome | Promise<HttpOutcome> {
    const { method, query, headers, body } = request
    if (method === 'GET' && rest === 'messages') return this.#lookups.kakaoList('brandmessage', query)
    if (method === 'GET' && rest.startsWith('messages/'))
      return this.#lookups.kakaoSingle('brandmessage', rest.slice('messages/'.length))
    if (method === 'POST' && rest === 'images') {
      const image = this.#images.upload(headers['content-type'] ?? '', body)
      return typeof image === 'number' ? kakaoReply(image) : kakaoReply(0, { image })
    }
    const [, style] = /^(freestyle|basic)-messages$/.exec(rest) ?? []
    if (method !== 'POST' || style === undefined) return kakaoReply(-9998)
    return this.#send('brandmessage', request, (fields) =>
      checkBrand(style as 'freestyle' | 'basic', fields, this.#options, (url, type) =>
        this.#images.knows(url, type),
      ),
    )
  }

  #send(
    product: NhnProduct,
    { headers, body }: HttpRequest,
    check: (fields: Fields) => SmsCode | KakaoCode,
  ): HttpResponse | Promise<HttpOutcome> {
    this.state.countSubmit()
    if (!/^application\/json\b/.test(headers['content-type'] ?? '')) return this.sender.refuse(product, -9996)
    const fields = parseFields(body, MAX_JSON_BYTES)
    if (fields === undefined) return this.sender.refuse(product, -9997)
    const code = check(fields)
    if (code !== 0) return this.sender.refuse(product, code)
    const key = product === 'alimtalk' ? headers['x-nc-api-idempotency-key'] : undefined
    return this.sender.send(product, fields, typeof key === 'string' ? key : undefined)
  }

  #uploadAttachment({ body }: HttpRequest): HttpResponse {
    const fields = parseFields(body, MAX_JSON_BYTES)
    if (fields === undefined) return smsReply(-9997)
    const file = readSmsAttachment(fields)
    if (typeof file === 'number') return smsReply(file)
    const fileId = ++this.#lastFile
    evictOldest(this.#files, MAX_FILES)
    this.#files.set(fileId, file.length)
    return smsReply(0, {
      body: { data: { fileId, fileName: fields['fileName'], filePath: `simulator/${fileId}` } },
    })
  }

  /** Posts the webhook of an opt-out by 080 number: `?recipient=…&number=…`. */
  unsubscribe({ query }: HttpRequest): unknown {
    const [recipientNo, unsubscribeNo] = [query.get('recipient'), query.get('number')]
    if (recipientNo === null || unsubscribeNo === null) return { error: 'recipient and number are required' }
    const createdDateTime = `${koreanTime().replace(' ', 'T')}.000+09:00`
    void this.sender.post('UNSUBSCRIBE', 'sms', (hookId) => ({
      hookId,
      recipientNo,
      unsubscribeNo,
      enterpriseName: 'Simulator',
      createdDateTime,
    }))
    return { ok: true }
  }

  reset(): void {
    this.#messages.clear()
    this.#images.clear()
    this.#files.clear()
    this.sender.reset()
  }
}

export function startNhn(options: Partial<NhnOptions> = {}): Promise<HttpCarrier<NhnEntry>> {
  const settings: NhnOptions = { ...defaults, ...options }
  const server = new NhnServer(settings)
  return startHttpCarrier({
    options: settings,
    state: server.state,
    handler: (request) => server.handle(request),
    control: {
      'GET /fallbacks': () => ({ fallbacks: server.sender.fallbacks }),
      'POST /unsubscribe': (request) => server.unsubscribe(request),
    },
    onReset: () => server.reset(),
  })
}
