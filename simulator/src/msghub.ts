/**
 * Simulates LG U+ msghub: login, sending, file upload, and reports and replies, pushed or polled. The three
 * hosts of msghub share one port. Shares no code with the gateway.
 *
 * Sources: total-msg-hub/restapi_sample, LG U+'s own samples (2022); RAVNUS-INC/kotify msghub-api-guide.md,
 * msghub-migration-spec.md and msghub-error-codes.md, copies of docs2.msghub.uplus.co.kr (2026-04).
 */
import { createHash } from 'node:crypto'
import { BearerTokens } from './shared/bearer-tokens.ts'
import { CarrierState } from './shared/carrier-state.ts'
import { startHttpCarrier } from './shared/http-carrier.ts'
import type { HttpOutcome, HttpResponse, HttpRequest } from './shared/http-server.ts'
import { parseFields, toObject, toText } from './shared/json-body.ts'
import type { Fields } from './shared/json-body.ts'
import type { HttpCarrier } from './shared/running-carrier.ts'
import { msghubReply } from './msghub/codes.ts'
import { MsghubFiles } from './msghub/files.ts'
import type { FileChannel } from './msghub/files.ts'
import { MsghubReplies } from './msghub/replies.ts'
import { ReportQueue } from './msghub/report-queue.ts'
import { MsghubSender } from './msghub/send.ts'
import type { MsghubEntry } from './msghub/send.ts'
import { defaults } from './msghub/settings.ts'
import type { MsghubOptions } from './msghub/settings.ts'
import { endpoints, validateMsghubRequest } from './msghub/validate.ts'

export type { MsghubEntry, MsghubOptions }

const MAX_LOOKUPS = 10

function sha512(text: string): string {
  return createHash('sha512').update(text).digest('base64')
}

class MsghubServer {
  readonly state: CarrierState<MsghubEntry>
  readonly tokens: BearerTokens
  readonly replies: MsghubReplies
  readonly #options: MsghubOptions
  readonly #refreshTokens: BearerTokens
  readonly #files: MsghubFiles
  readonly #queue: ReportQueue
  readonly #sender: MsghubSender
  #emptyPollAt = -Infinity

  constructor(options: MsghubOptions) {
    this.#options = options
    this.state = new CarrierState(options, ({ status }) => status === 200 || status === 204)
    const newKey = (): string => this.state.numbers.next().toString(36)
    this.tokens = new BearerTokens(options.tokenTtlMs, newKey)
    this.#refreshTokens = new BearerTokens(options.refreshTtlMs, newKey)
    this.replies = new MsghubReplies(options, newKey)
    this.#files = new MsghubFiles(options.fileTtlMs)
    this.#queue = new ReportQueue(options.acknowledgeMs, newKey, () => this.state.receipts.counters)
    this.#sender = new MsghubSender(options, this.state, this.#queue, this.replies)
  }

  handle(request: HttpRequest): HttpOutcome | Promise<HttpOutcome> {
    const { method, path, headers, body } = request
    const fields = parseFields(body, this.#options.maxBodyBytes) ?? {}
    if (method === 'PUT' && path === '/auth/v1/refresh') return this.#refresh(headers.authorization)
    const random = /^\/auth\/v1\/([\w-]{1,20})$/.exec(path)?.[1]
    if (method === 'POST' && random !== undefined) return this.#logIn(random, fields)
    const check = this.tokens.check(headers.authorization)
    if (check !== 'valid')
      return msghubReply(check === 'no header' || check === 'no token' ? '20004' : '29011')
    const endpoint = method === 'POST' ? endpoints.get(path) : undefined
    if (endpoint !== undefined) {
      const requestOrCode = validateMsghubRequest(endpoint, fields, (channel, fileId) =>
        this.#files.refusalOf(channel, fileId),
      )
      if (typeof requestOrCode !== 'string') return this.#sender.send(requestOrCode)
      this.state.countSubmit()
      this.state.counters.refused++
      return msghubReply(requestOrCode)
    }
    switch (`${method} ${path}`) {
      case 'POST /file/v1/mms':
      case 'POST /file/v1/rcs':
        return this.#files.upload(path.slice(-3) as FileChannel, headers['content-type'] ?? '', body)
      case 'GET /msg/v1.2/report':
        return this.#poll()
      case 'POST /msg/v1.2/report/result':
        return this.#acknowledge(fields['rptKeyLst'])
      case 'POST /msg/v1/sent':
        return this.#lookUp(fields['cliKeyLst'])
      case 'GET /mo/v1/msg':
        return msghubReply('10000', this.replies.poll())
      default:
        return msghubReply('29010')
    }
  }

  #logIn(random: string, { apiKey, apiPwd }: Fields): HttpResponse {
    if (apiKey !== this.#options.apiKey) return msghubReply('20000')
    if (apiPwd !== sha512(`${sha512(this.#options.apiPassword)}.${random}`)) return msghubReply('20002')
    return msghubReply('10000', {
      token: this.tokens.issue().token,
      refreshToken: this.#refreshTokens.issue().token,
    })
  }

  #refresh(authorization: string | undefined): HttpResponse {
    const isValid = this.#refreshTokens.check(authorization) === 'valid'
    return isValid ? msghubReply('10000', { token: this.tokens.issue().token }) : msghubReply('29011')
  }

  #poll(): HttpResponse {
    if (performance.now() - this.#emptyPollAt < this.#options.emptyPollMs) return msghubReply('29002')
    const batch = this.#queue.poll()
    if (batch === undefined) this.#emptyPollAt = performance.now()
    return msghubReply('10000', batch ?? null)
  }

  #acknowledge(keys: unknown): HttpResponse {
    if (!Array.isArray(keys) || keys.length === 0) return msghubReply('29000')
    const acknowledged = keys.map((key) => this.#queue.acknowledge(toText(key)))
    return msghubReply(acknowledged.every(Boolean) ? '10000' : '29009')
  }

  #lookUp(keys: unknown): HttpResponse {
    if (!Array.isArray(keys) || keys.length === 0) return msghubReply('29000')
    if (keys.length > MAX_LOOKUPS) return msghubReply('21012')
    const found = keys.map((value) => {
      const { cliKey, reqDt } = toObject(value)
      return this.#sender.find(toText(cliKey), toText(reqDt))
    })
    return msghubReply('10000', { cliKeyLst: found })
  }

  /** Clears all state except tokens. */
  clear(): void {
    this.#sender.clear()
    this.#queue.clear()
    this.#files.clear()
    this.replies.clear()
    this.#emptyPollAt = -Infinity
  }

  close(): void {
    this.clear()
    this.replies.close()
  }
}

export function startMsghub(options: Partial<MsghubOptions> = {}): Promise<HttpCarrier<MsghubEntry>> {
  const settings: MsghubOptions = { ...defaults, ...options }
  const server = new MsghubServer(settings)
  return startHttpCarrier({
    options: settings,
    state: server.state,
    handler: (request) => server.handle(request),
    control: {
      'POST /expire-tokens': () => ({ expired: server.tokens.expireAll() }),
      'POST /reply': async ({ query }) => ({
        acknowledged: await server.replies.add(
          query.get('from') ?? '',
          query.get('to') ?? '',
          query.get('text') ?? 'reply',
        ),
      }),
    },
    onReset: () => server.clear(),
    onClose: () => server.close(),
  })
}
