/**
 * Simulates the MaaP front end of one Korean carrier, or the KT relay in front of all three: tokens, sending,
 * file registration, status and reply webhooks on one port, control on another. Shares no code with the
 * gateway.
 */
import { BearerTokens } from './shared/bearer-tokens.ts'
import type { TokenCheck } from './shared/bearer-tokens.ts'
import { CarrierState } from './shared/carrier-state.ts'
import { startHttpCarrier } from './shared/http-carrier.ts'
import { json } from './shared/http-server.ts'
import type { HttpOutcome, HttpRequest } from './shared/http-server.ts'
import { parseFields, toObject, toText } from './shared/json-body.ts'
import type { HttpCarrier } from './shared/running-carrier.ts'
import type { WebhookResponse } from './shared/webhook-sender.ts'
import type { MaapCode, MaapCodePair } from './maap/codes.ts'
import { contentRefusal, isChat } from './maap/content.ts'
import { MaapFiles } from './maap/files.ts'
import { MaapReplies, maapReplyKinds } from './maap/replies.ts'
import { readCarrierRequest, readRelayRequest } from './maap/requests.ts'
import type { MaapSendRequest } from './maap/requests.ts'
import { MaapSender } from './maap/send.ts'
import type { MaapEntry } from './maap/send.ts'
import { defaults } from './maap/settings.ts'
import type { MaapOptions } from './maap/settings.ts'
import { StatusQuery } from './maap/statuses.ts'

export type { MaapEntry, MaapOptions }

const MAX_JSON_BYTES = 131_072

const tokenCodes: Readonly<Record<Exclude<TokenCheck, 'valid'>, MaapCodePair>> = {
  'no header': ['50001', '70001'],
  'no token': ['50002', '70002'],
  unknown: ['50003', '70003'],
  expired: ['50004', '70004'],
}

/** Acknowledged by HTTP 200, unless the body contains another status. */
function acknowledges({ status, body }: WebhookResponse): boolean {
  const bodyStatus = parseFields(body, MAX_JSON_BYTES)?.['status']
  return status === 200 && (bodyStatus === undefined || bodyStatus === '200' || bodyStatus === 200)
}

class MaapServer {
  readonly state: CarrierState<MaapEntry>
  readonly tokens: BearerTokens
  readonly files: MaapFiles
  readonly replies: MaapReplies
  readonly query: StatusQuery
  readonly sender: MaapSender
  readonly #options: MaapOptions
  readonly #base: string

  constructor(options: MaapOptions) {
    this.#options = options
    this.#base = options.basePath ?? (options.carrier === 'kt-relay' ? '/corp/v1' : '/ag/1.2')
    this.state = new CarrierState(options, acknowledges)
    const newId = (): string => this.state.numbers.next().toString(36)
    this.tokens = new BearerTokens(options.tokenTtlMs, newId)
    this.files = new MaapFiles(options)
    this.replies = new MaapReplies(options.replyTtlMs, newId)
    this.query = new StatusQuery(options.batchSize, () => this.state.receipts.counters)
    this.sender = new MaapSender(options, this.state, this.query, this.replies)
  }

  async handle(request: HttpRequest): Promise<HttpOutcome> {
    const { method, path, headers, body } = request
    const call = path.startsWith(`${this.#base}/`) ? path.slice(this.#base.length + 1) : ''
    if (method !== 'POST') return this.#error(['51900', '71007'])
    if (call === 'token') return this.#issueToken(body)
    const tokenCheck = this.tokens.check(headers.authorization)
    const refused = tokenCheck === 'valid' ? undefined : tokenCodes[tokenCheck]
    if (call === 'message') {
      this.state.countSubmit()
      return refused === undefined ? this.#send(body) : this.sender.refuse(this.#code(refused))
    }
    if (refused !== undefined) return this.#error(refused)
    if (call === 'file') {
      const registered = this.files.register(headers['content-type'] ?? '', body)
      return typeof registered === 'string'
        ? this.sender.error(registered)
        : json(200, { status: '200', data: { fileInfo: registered } })
    }
    if (call === 'querymsgstatus' && this.sender.isRelay) return this.#queryStatus(body)
    return this.#error(['51900', '71007'])
  }

  #code([carrier, relay]: MaapCodePair): MaapCode {
    return this.sender.isRelay ? relay : carrier
  }

  #error(pair: MaapCodePair): HttpOutcome {
    return this.sender.error(this.#code(pair))
  }

  #issueToken(body: Buffer): HttpOutcome {
    const fields = parseFields(body, MAX_JSON_BYTES)
    if (fields === undefined) return this.#error(['51005', '71005'])
    const [idName, secretName] = this.sender.isRelay ? ['rcsId', 'rcsSecret'] : ['clientId', 'clientSecret']
    const [id, secret] = [toText(fields[idName]), toText(fields[secretName])]
    const { clientId, clientSecret } = this.#options
    if (fields['grantType'] !== 'clientCredentials') return this.#error(['55802', '71008'])
    if (id === '' || id.length > 20 || (clientId ?? id) !== id) return this.#error(['50006', '70007'])
    if (secret === '' || secret.length > 255 || (clientSecret ?? secret) !== secret)
      return this.#error(['50008', '70008'])
    const { token, expiresInSeconds } = this.tokens.issue()
    const tokenInfo = { accessToken: token, expiresIn: String(expiresInSeconds) }
    return json(200, { status: '200', data: { tokenInfo } })
  }

  async #send(body: Buffer): Promise<HttpOutcome> {
    const fields = parseFields(body, MAX_JSON_BYTES)
    if (fields === undefined) return this.sender.refuse(this.#code(['51005', '71005']))
    const readRequest = this.sender.isRelay ? readRelayRequest : readCarrierRequest
    const request = readRequest(fields, body.length, this.#options)
    if (typeof request === 'string') return this.sender.refuse(request)
    const failure = this.#contentRefusal(request)
    if (failure !== undefined && !this.sender.isRelay) return this.sender.refuse(failure)
    return this.sender.send(request, failure)
  }

  #contentRefusal(request: MaapSendRequest): MaapCode | undefined {
    const context = {
      templateId: this.#options.templateId,
      acceptsMedia: (media: string) => this.files.accepts(media),
    }
    const refusal = contentRefusal(request, context)
    if (refusal !== undefined) return refusal
    if (!isChat(request)) return request.replyId === '' ? undefined : '55802'
    return this.replies.refusal(request.replyId, request.to, request.chatbotId)
  }

  #queryStatus(body: Buffer): HttpOutcome {
    const { queryType, msgId, queryId, retryYn } = toObject(parseFields(body, MAX_JSON_BYTES))
    if (queryType === 'msgId') {
      const status = this.query.byId(toText(msgId))
      if (status === undefined) return this.sender.error('71006')
      return json(200, { status: '200', data: { statusInfo: [status], queryId: '', moreToSend: 0 } })
    }
    const id = toText(queryId)
    if (queryType !== 'rcsId' || id === '' || id.length > 40) return this.sender.error('79004')
    const batch = this.query.fetch(id, retryYn === 'Y')
    return typeof batch === 'string' ? this.sender.error(batch) : json(200, { status: '200', data: batch })
  }

  /** Sends an unsolicited user message: `?from=…&chatbot=…&kind=…`. */
  reply({ query }: HttpRequest): unknown {
    const [from, chatbot] = [query.get('from') ?? '', query.get('chatbot') ?? '']
    const kind = maapReplyKinds.find((known) => known === (query.get('kind') ?? 'text'))
    if (from === '' || chatbot === '' || kind === undefined) {
      return { error: `from and chatbot are required; kind must be one of ${maapReplyKinds.join(', ')}` }
    }
    void this.sender.reply(kind, from, chatbot, this.sender.selectMno(from))
    return { ok: true }
  }

  reset(): void {
    this.files.clear()
    this.replies.clear()
    this.query.clear()
    this.sender.forget()
  }
}

export function startMaap(options: Partial<MaapOptions> = {}): Promise<HttpCarrier<MaapEntry>> {
  const settings: MaapOptions = { ...defaults, ...options }
  const server = new MaapServer(settings)
  return startHttpCarrier({
    options: settings,
    state: server.state,
    handler: (request) => server.handle(request),
    control: {
      'POST /expire-tokens': () => ({ expired: server.tokens.expireAll() }),
      'POST /reply': (request) => server.reply(request),
    },
    onReset: () => server.reset(),
    onClose: () => server.query.clear(),
  })
}
