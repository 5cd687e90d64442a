/**
 * Simulates the Kakao BizMessage server for dealers: sending, result polling and image upload on one port,
 * control on another. Shares no code with the gateway. Friendtalk, discontinued on 2025-12-31, has no path;
 * how Kakao refuses it is not published.
 */
import { BearerTokens } from './shared/bearer-tokens.ts'
import { CarrierState } from './shared/carrier-state.ts'
import { startHttpCarrier } from './shared/http-carrier.ts'
import { parseFields } from './shared/json-body.ts'
import { koreanTime } from './shared/korean.ts'
import { json } from './shared/http-server.ts'
import type { HttpOutcome, HttpRequest } from './shared/http-server.ts'
import type { HttpCarrier } from './shared/running-carrier.ts'
import { KakaoImages } from './kakao/images.ts'
import { ResultQueue } from './kakao/result-queue.ts'
import { KakaoSender, bizMessageReply } from './kakao/send.ts'
import type { KakaoEntry } from './kakao/send.ts'
import { defaults } from './kakao/settings.ts'
import type { KakaoOptions } from './kakao/settings.ts'
import { validateKakaoRequest } from './kakao/validate.ts'
import type { KakaoMessageKind } from './kakao/validate.ts'

export type { KakaoEntry, KakaoOptions }

/** Image upload paths of both API versions. */
const imagePath =
  /^(?:default|wide|wideItemList\/first|wideItemList|carouselFeed|carouselCommerce|alimtalk\/(?:template|itemHighlight))$/

const MAX_JSON_BYTES = 131_072

class KakaoServer {
  readonly state: CarrierState<KakaoEntry>
  readonly queue: ResultQueue
  readonly images: KakaoImages
  readonly tokens: BearerTokens
  readonly sender: KakaoSender
  readonly #options: KakaoOptions
  readonly #kinds: ReadonlyMap<string, KakaoMessageKind>

  constructor(options: KakaoOptions) {
    this.#options = options
    this.state = new CarrierState(options, ({ status }) => status === 200)
    this.queue = new ResultQueue(options.batchSize, options.forgetBatches, () => this.state.receipts.counters)
    this.images = new KakaoImages(options.maxImageBytes)
    this.tokens = new BearerTokens(options.tokenTtlMs, () => this.state.numbers.next().toString(36))
    this.sender = new KakaoSender(options, this.state, this.queue)
    this.#kinds = new Map<string, KakaoMessageKind>([
      ['alimtalk/send', 'alimtalk'],
      [options.brandPath, 'brandmessage'],
    ])
  }

  async handle(request: HttpRequest): Promise<HttpOutcome> {
    const found = /^\/+(v[123])\/([^/]+)\/(.+)$/.exec(request.path)
    if (found === null || request.method !== 'POST')
      return json(404, { code: '1030', message: 'path not found' })
    const [, version, key, rest] = found as unknown as [string, string, string, string]
    if (this.#options.partnerKey !== undefined && key !== this.#options.partnerKey)
      return bizMessageReply('1002', 401)
    if (rest === 'token' && this.tokens.isRequired) {
      const { token, expiresInSeconds } = this.tokens.issue()
      return json(200, { code: '0000', access_token: token, expires_in: expiresInSeconds })
    }
    if (this.tokens.check(request.headers.authorization) !== 'valid') return bizMessageReply('1002', 401)
    if (rest.startsWith('image/') && version !== 'v3')
      return this.#upload(rest.slice('image/'.length), request)
    if (rest === 'responseAll') return this.#poll(request)
    const completedId = /^response\/(\d{1,15})\/complete$/.exec(rest)?.[1]
    if (completedId !== undefined)
      return bizMessageReply(this.queue.complete(Number(completedId)) ? '0000' : '4000')
    const kind = this.#kinds.get(rest)
    return kind === undefined
      ? json(404, { code: '1030', message: 'path not found' })
      : this.#send(kind, request.body)
  }

  async #send(kind: KakaoMessageKind, body: Buffer): Promise<HttpOutcome> {
    this.state.countSubmit()
    const fields = parseFields(body, MAX_JSON_BYTES)
    if (fields === undefined) return this.sender.refuse('1001')
    const isKnownImage = (url: string): boolean => this.#options.anyImage || this.images.knows(url)
    const requestOrCode = validateKakaoRequest(kind, fields, {
      options: this.#options,
      bytes: body.length,
      isKnownImage,
    })
    return typeof requestOrCode === 'string'
      ? this.sender.refuse(requestOrCode)
      : this.sender.send(requestOrCode, fields)
  }

  #upload(path: string, { headers, body }: HttpRequest): HttpOutcome {
    const url = imagePath.test(path) ? this.images.upload(headers['content-type'] ?? '', body) : undefined
    return url === undefined
      ? bizMessageReply('3024', 400)
      : json(200, { code: '0000', image: url, message: '' })
  }

  async #poll({ headers, body }: HttpRequest): Promise<HttpOutcome> {
    const channelKey = headers['channel_key'] ?? parseFields(body, MAX_JSON_BYTES)?.['channel_key']
    if (typeof channelKey !== 'string' || channelKey === '') return bizMessageReply('1004')
    const deadline = performance.now() + this.#options.longPollMs
    let batch = this.queue.poll(channelKey)
    while (batch === undefined && performance.now() < deadline) {
      await Promise.race([this.queue.arrival(), this.state.after(deadline - performance.now())])
      batch = this.queue.poll(channelKey)
    }
    const results = batch?.results ?? []
    return json(200, {
      code: '0000',
      response_id: batch?.id ?? 0,
      response: {
        success: results.filter(({ status }) => status === '0000'),
        fail: results.filter(({ status }) => status !== '0000'),
      },
      responsed_at: koreanTime(),
      message: '',
    })
  }

  reset(): void {
    this.queue.clear()
    this.images.clear()
    this.sender.forget()
  }
}

export function startKakao(options: Partial<KakaoOptions> = {}): Promise<HttpCarrier<KakaoEntry>> {
  const settings: KakaoOptions = { ...defaults, ...options }
  const server = new KakaoServer(settings)
  return startHttpCarrier({
    options: settings,
    state: server.state,
    handler: (request) => server.handle(request),
    control: { 'POST /expire-tokens': () => ({ expired: server.tokens.expireAll() }) },
    onReset: () => server.reset(),
    onClose: () => server.queue.clear(),
  })
}
