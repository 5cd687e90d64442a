/**
 * A simulated Kakao BizMessage server for dealers: send, polling of results, image upload, on one port; its control on
 * another. It shares no code with the gateway that it tests. Friendtalk, which Kakao ended on 2025-12-31, has no path here;
 * no public source states how Kakao refuses it.
 */
import { BearerTokens } from './shared/bearer-tokens.ts'
import { CarrierState } from './shared/carrier-state.ts'
import { startHttpCarrier } from './shared/http-carrier.ts'
import { fieldsOf } from './shared/json-body.ts'
import { koreanTime } from './shared/korean.ts'
import { json } from './shared/http-server.ts'
import type { HttpAnswer, HttpRequest } from './shared/http-server.ts'
import type { HttpCarrier } from './shared/running-carrier.ts'
import { Images } from './kakao/images.ts'
import { ResultQueue } from './kakao/result-queue.ts'
import { Sender, reply } from './kakao/send.ts'
import type { KakaoEntry } from './kakao/send.ts'
import { defaults } from './kakao/settings.ts'
import type { KakaoOptions } from './kakao/settings.ts'
import { validate } from './kakao/validate.ts'
import type { Kind } from './kakao/validate.ts'

export type { KakaoEntry, KakaoOptions }

/** The upload addresses of both versions. */
const imagePath =
  /^(?:default|wide|wideItemList\/first|wideItemList|carouselFeed|carouselCommerce|alimtalk\/(?:template|itemHighlight))$/

const MAX_JSON_BYTES = 131_072

class KakaoServer {
  readonly state: CarrierState<KakaoEntry>
  readonly queue: ResultQueue
  readonly images: Images
  readonly tokens: BearerTokens
  readonly sender: Sender
  readonly #options: KakaoOptions
  readonly #kinds: ReadonlyMap<string, Kind>

  constructor(options: KakaoOptions) {
    this.#options = options
    this.state = new CarrierState(options, ({ status }) => status === 200)
    this.queue = new ResultQueue(options.batchSize, options.forgetBatches, () => this.state.receipts.counters)
    this.images = new Images(options.maxImageBytes)
    this.tokens = new BearerTokens(options.tokenTtlMs, () => this.state.numbers.next().toString(36))
    this.sender = new Sender(options, this.state, this.queue)
    this.#kinds = new Map<string, Kind>([
      ['alimtalk/send', 'alimtalk'],
      [options.brandPath, 'brandmessage'],
    ])
  }

  async handle(request: HttpRequest): Promise<HttpAnswer> {
    const found = /^\/+(v[123])\/([^/]+)\/(.+)$/.exec(request.path)
    if (found === null || request.method !== 'POST')
      return json(404, { code: '1030', message: 'no such path' })
    const [, version, key, rest] = found as unknown as [string, string, string, string]
    if (this.#options.partnerKey !== undefined && key !== this.#options.partnerKey) return reply('1002', 401)
    if (rest === 'token' && this.tokens.required) {
      const { token, expiresInSeconds } = this.tokens.issue()
      return json(200, { code: '0000', access_token: token, expires_in: expiresInSeconds })
    }
    if (this.tokens.check(request.headers.authorization) !== 'valid') return reply('1002', 401)
    if (rest.startsWith('image/') && version !== 'v3')
      return this.#upload(rest.slice('image/'.length), request)
    if (rest === 'responseAll') return this.#poll(request)
    const completed = /^response\/(\d{1,15})\/complete$/.exec(rest)?.[1]
    if (completed !== undefined) return reply(this.queue.complete(Number(completed)) ? '0000' : '4000')
    const kind = this.#kinds.get(rest)
    return kind === undefined
      ? json(404, { code: '1030', message: 'no such path' })
      : this.#send(kind, request.body)
  }

  async #send(kind: Kind, body: Buffer): Promise<HttpAnswer> {
    this.state.countSubmit()
    const fields = fieldsOf(body, MAX_JSON_BYTES)
    if (fields === undefined) return this.sender.refuse('1001')
    const knownImage = (url: string): boolean => this.#options.anyImage || this.images.knows(url)
    const checked = validate(kind, fields, { options: this.#options, bytes: body.length, knownImage })
    return typeof checked === 'string' ? this.sender.refuse(checked) : this.sender.send(checked, fields)
  }

  #upload(path: string, { headers, body }: HttpRequest): HttpAnswer {
    const url = imagePath.test(path) ? this.images.upload(headers['content-type'] ?? '', body) : undefined
    return url === undefined ? reply('3024', 400) : json(200, { code: '0000', image: url, message: '' })
  }

  async #poll({ headers, body }: HttpRequest): Promise<HttpAnswer> {
    const channelKey = headers['channel_key'] ?? fieldsOf(body, MAX_JSON_BYTES)?.['channel_key']
    if (typeof channelKey !== 'string' || channelKey === '') return reply('1004')
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
