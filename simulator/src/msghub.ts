/**
 * A simulated LG U+ msghub server: login, send, file upload, reports and replies, pushed or polled. The three hosts of
 * msghub are one port here. It shares no code with the gateway.
 *
 * Sources: total-msg-hub/restapi_sample, LG U+'s own samples (2022); RAVNUS-INC/kotify msghub-api-guide.md,
 * msghub-migration-spec.md and msghub-error-codes.md, copies of docs2.msghub.uplus.co.kr (2026-04).
 */
import { createHash } from 'node:crypto'
import { BearerTokens } from './shared/bearer-tokens.ts'
import { CarrierState } from './shared/carrier-state.ts'
import { startHttpCarrier } from './shared/http-carrier.ts'
import type { HttpAnswer, HttpReply, HttpRequest } from './shared/http-server.ts'
import { fieldsOf, objectOf, textOf } from './shared/json-body.ts'
import type { Fields } from './shared/json-body.ts'
import type { HttpCarrier } from './shared/running-carrier.ts'
import { reply } from './msghub/codes.ts'
import { Files } from './msghub/files.ts'
import type { FileChannel } from './msghub/files.ts'
import { Replies } from './msghub/replies.ts'
import { ReportQueue } from './msghub/report-queue.ts'
import { Sender } from './msghub/send.ts'
import type { MsghubEntry } from './msghub/send.ts'
import { defaults } from './msghub/settings.ts'
import type { MsghubOptions } from './msghub/settings.ts'
import { endpoints, validate } from './msghub/validate.ts'

export type { MsghubEntry, MsghubOptions }

const MAX_LOOKUPS = 10

function sha512(text: string): string {
  return createHash('sha512').update(text).digest('base64')
}

class MsghubServer {
  readonly state: CarrierState<MsghubEntry>
  readonly tokens: BearerTokens
  readonly replies: Replies
  readonly #options: MsghubOptions
  readonly #refreshTokens: BearerTokens
  readonly #files: Files
  readonly #queue: ReportQueue
  readonly #sender: Sender
  #emptyPollAt = -Infinity

  constructor(options: MsghubOptions) {
    this.#options = options
    this.state = new CarrierState(options, ({ status }) => status === 200 || status === 204)
    const newKey = (): string => this.state.numbers.next().toString(36)
    this.tokens = new BearerTokens(options.tokenTtlMs, newKey)
    this.#refreshTokens = new BearerTokens(options.refreshTtlMs, newKey)
    this.replies = new Replies(options, newKey)
    this.#files = new Files(options.fileTtlMs)
    this.#queue = new ReportQueue(options.acknowledgeMs, newKey, () => this.state.receipts.counters)
    this.#sender = new Sender(options, this.state, this.#queue, this.replies)
  }

  handle(request: HttpRequest): HttpAnswer | Promise<HttpAnswer> {
    const { method, path, headers, body } = request
    const fields = fieldsOf(body, this.#options.maxBodyBytes) ?? {}
    if (method === 'PUT' && path === '/auth/v1/refresh') return this.#refresh(headers.authorization)
    const random = /^\/auth\/v1\/([\w-]{1,20})$/.exec(path)?.[1]
    if (method === 'POST' && random !== undefined) return this.#logIn(random, fields)
    const check = this.tokens.check(headers.authorization)
    if (check !== 'valid') return reply(check === 'no header' || check === 'no token' ? '20004' : '29011')
    const endpoint = method === 'POST' ? endpoints.get(path) : undefined
    if (endpoint !== undefined) {
      const checked = validate(endpoint, fields, (channel, fileId) => this.#files.refusalOf(channel, fileId))
      if (typeof checked !== 'string') return this.#sender.send(checked)
      this.state.countSubmit()
      this.state.counters.refused++
      return reply(checked)
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
        return reply('10000', this.replies.poll())
      default:
        return reply('29010')
    }
  }

  #logIn(random: string, { apiKey, apiPwd }: Fields): HttpReply {
    if (apiKey !== this.#options.apiKey) return reply('20000')
    if (apiPwd !== sha512(`${sha512(this.#options.apiPassword)}.${random}`)) return reply('20002')
    return reply('10000', {
      token: this.tokens.issue().token,
      refreshToken: this.#refreshTokens.issue().token,
    })
  }

  #refresh(authorization: string | undefined): HttpReply {
    const valid = this.#refreshTokens.check(authorization) === 'valid'
    return valid ? reply('10000', { token: this.tokens.issue().token }) : reply('29011')
  }

  #poll(): HttpReply {
    if (performance.now() - this.#emptyPollAt < this.#options.emptyPollMs) return reply('29002')
    const batch = this.#queue.poll()
    if (batch === undefined) this.#emptyPollAt = performance.now()
    return reply('10000', batch ?? null)
  }

  #acknowledge(keys: unknown): HttpReply {
    if (!Array.isArray(keys) || keys.length === 0) return reply('29000')
    const known = keys.map((key) => this.#queue.acknowledge(textOf(key)))
    return reply(known.every(Boolean) ? '10000' : '29009')
  }

  #lookUp(keys: unknown): HttpReply {
    if (!Array.isArray(keys) || keys.length === 0) return reply('29000')
    if (keys.length > MAX_LOOKUPS) return reply('21012')
    const found = keys.map((value) => {
      const { cliKey, reqDt } = objectOf(value)
      return this.#sender.find(textOf(cliKey), textOf(reqDt))
    })
    return reply('10000', { cliKeyLst: found })
  }

  /** Forgets everything but tokens. */
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
