/**
 * Simulates the Google RCS Business Messaging API: token endpoint, messages, revocation, capabilities, files
 * and signed webhooks on one port, control on another. Shares no code with the gateway.
 */
import { createPublicKey, randomUUID } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { BearerTokens } from './shared/bearer-tokens.ts'
import { CarrierState } from './shared/carrier-state.ts'
import { startHttpCarrier } from './shared/http-carrier.ts'
import { json } from './shared/http-server.ts'
import type { HttpOutcome, HttpResponse, HttpRequest } from './shared/http-server.ts'
import { parseFields, toObject, toText } from './shared/json-body.ts'
import type { HttpCarrier } from './shared/running-carrier.ts'
import { WebhookSender } from './shared/webhook-sender.ts'
import { GRANT_TYPE, findAssertionFault } from './rbm/assertion.ts'
import { behaviourFor } from './rbm/behaviours.ts'
import { errorReply } from './rbm/errors.ts'
import { eventTypes, rbmReplyKinds } from './rbm/events.ts'
import { RbmFiles } from './rbm/files.ts'
import { RbmSender } from './rbm/send.ts'
import type { RbmEntry } from './rbm/send.ts'
import { defaults } from './rbm/settings.ts'
import type { RbmOptions } from './rbm/settings.ts'
import { MAX_MESSAGE_BYTES, messageRefusal } from './rbm/validate.ts'

export type { RbmEntry, RbmOptions }

const MAX_BATCH = 10_000
/** Google counts reachable users in a sample of about 75 % of a batch. Batches smaller than this have no sample. */
const MIN_BATCH_WITH_SAMPLE = 500
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const e164Number = /^\+[1-9]\d{6,14}$/
const features = [
  'RICHCARD_STANDALONE',
  'RICHCARD_CAROUSEL',
  'ACTION_CREATE_CALENDAR_EVENT',
  'ACTION_DIAL',
  'ACTION_OPEN_URL',
  'ACTION_SHARE_LOCATION',
  'ACTION_VIEW_LOCATION',
]

function isReachable(phone: string): boolean {
  return behaviourFor(phone).refuse?.status !== 'NOT_FOUND'
}

function loadPublicKey(publicKey: string | undefined): KeyObject | undefined {
  if (publicKey === undefined) return undefined
  return createPublicKey(publicKey.startsWith('-----') ? publicKey : readFileSync(publicKey))
}

class RbmServer {
  readonly state: CarrierState<RbmEntry>
  readonly tokens: BearerTokens
  readonly files: RbmFiles
  readonly sender: RbmSender
  readonly #options: RbmOptions
  readonly #key: KeyObject | undefined

  constructor(options: RbmOptions) {
    this.#options = options
    this.#key = loadPublicKey(options.publicKey)
    this.state = new CarrierState(options, ({ status }) => status === 200)
    const newId = (): string => this.state.numbers.next().toString(36)
    this.tokens = new BearerTokens(options.tokenTtlMs, newId)
    this.files = new RbmFiles(options.anyFile, newId)
    this.sender = new RbmSender(options, this.state)
  }

  async handle(request: HttpRequest): Promise<HttpOutcome> {
    const { method, path, headers, query } = request
    if (method === 'POST' && path === '/token') return this.#issueToken(request.body)
    const found =
      /^\/v1\/phones\/((?:\+|%2B)\d{1,20})\/(agentMessages|capabilities)(?:\/([^/]{1,100}))?$/i.exec(path)
    const isSend = found?.[2] === 'agentMessages' && found[3] === undefined && method === 'POST'
    if (isSend) this.state.countSubmit()
    const refuse: typeof errorReply = (status, message) =>
      isSend ? this.sender.refuse(status, message) : errorReply(status, message)
    if (this.tokens.check(headers.authorization) !== 'valid') {
      return refuse('UNAUTHENTICATED', 'a valid OAuth 2 access token is required')
    }
    if (method === 'POST' && path === '/v1/users:batchGet') return this.#batchGet(request)
    if (method === 'POST' && path === '/upload/v1/files') return this.#upload(request)
    if (method === 'POST' && path === '/v1/files') return this.#createFile(request)
    if (found === null) return errorReply('NOT_FOUND', 'path not found')
    const agentId = query.get('agentId') ?? ''
    if (!this.#isAgent(agentId)) return refuse('PERMISSION_DENIED', 'agentId is required and must be known')
    const phone = found[1]!.replace(/%2B/i, '+')
    if (isSend) return this.#send(phone, agentId, request)
    if (found[2] === 'capabilities' && method === 'GET') return this.#capabilities(phone, query)
    if (found[3] !== undefined && method === 'DELETE') return this.sender.revoke(agentId, phone, found[3])
    return errorReply('NOT_FOUND', 'path not found')
  }

  #isAgent(agentId: string): boolean {
    return agentId !== '' && (this.#options.agentId ?? agentId) === agentId
  }

  #issueToken(body: Buffer): HttpResponse {
    const form = new URLSearchParams(body.toString('latin1'))
    const invalidGrant = (error_description: string): HttpResponse =>
      json(400, { error: 'invalid_grant', error_description })
    if (form.get('grant_type') !== GRANT_TYPE) return json(400, { error: 'unsupported_grant_type' })
    const { clientEmail, audience } = this.#options
    const expected = { clientEmail, audience, publicKey: this.#key }
    const refusal = findAssertionFault(form.get('assertion') ?? '', expected, Date.now())
    if (refusal !== undefined) return invalidGrant(refusal)
    const { token, expiresInSeconds } = this.tokens.issue()
    return json(200, { access_token: token, expires_in: expiresInSeconds, token_type: 'Bearer' })
  }

  async #send(to: string, agentId: string, { query, body }: HttpRequest): Promise<HttpOutcome> {
    const messageId = query.get('messageId') ?? ''
    const message = parseFields(body, MAX_MESSAGE_BYTES)
    const refuse = (reason: string): HttpResponse => this.sender.refuse('INVALID_ARGUMENT', reason)
    if (!uuid.test(messageId)) return refuse('messageId must be a UUID')
    if (!e164Number.test(to)) return refuse('the phone number must be in E.164 format')
    if (message === undefined) return refuse('the body must be a JSON object of at most 250 KB')
    const { maxCardSuggestions } = this.#options
    const limits = { maxCardSuggestions, isKnownFile: (name: string) => this.files.knows(name) }
    const refusal = messageRefusal(message, limits, Date.now())
    if (refusal !== undefined) return refuse(refusal)
    return this.sender.send({ messageId, agentId, to, message, bytes: body.length })
  }

  #capabilities(phone: string, query: URLSearchParams): HttpResponse {
    if (!uuid.test(query.get('requestId') ?? ''))
      return errorReply('INVALID_ARGUMENT', 'requestId must be a UUID')
    if (!isReachable(phone)) return errorReply('NOT_FOUND', 'the user cannot be reached by RCS')
    return json(200, { features })
  }

  #batchGet({ body }: HttpRequest): HttpResponse {
    const { users, agentId } = toObject(parseFields(body, this.#options.maxBodyBytes))
    if (!this.#isAgent(toText(agentId)))
      return errorReply('PERMISSION_DENIED', 'agentId is required and must be known')
    if (!Array.isArray(users) || users.length === 0 || users.length > MAX_BATCH) {
      return errorReply('INVALID_ARGUMENT', `users must have 1 to ${MAX_BATCH} phone numbers`)
    }
    const phones = users.map(toText)
    if (!phones.every((phone) => e164Number.test(phone))) {
      return errorReply('INVALID_ARGUMENT', 'phone numbers must be in E.164 format')
    }
    const sample =
      phones.length < MIN_BATCH_WITH_SAMPLE ? [] : phones.slice(0, Math.round(phones.length * 0.75))
    return json(200, {
      reachableUsers: phones.filter(isReachable),
      totalRandomSampleUserCount: sample.length,
      reachableRandomSampleUserCount: sample.filter(isReachable).length,
    })
  }

  #createFile({ body }: HttpRequest): HttpResponse {
    const fields = toObject(parseFields(body, this.#options.maxBodyBytes))
    if (!this.#isAgent(toText(fields['agentId']))) {
      return errorReply('PERMISSION_DENIED', 'agentId is required and must be known')
    }
    const created = this.files.create(fields)
    return created === undefined
      ? errorReply('INVALID_ARGUMENT', 'fileUrl and thumbnailUrl must be URLs')
      : json(200, created)
  }

  #upload({ query, headers }: HttpRequest): HttpResponse {
    if (!this.#isAgent(query.get('agentId') ?? ''))
      return errorReply('PERMISSION_DENIED', 'agentId is required and must be known')
    const uploaded = this.files.upload(headers['content-type'] ?? '')
    return uploaded === undefined
      ? errorReply('INVALID_ARGUMENT', 'content-type must be the type of the file')
      : json(200, uploaded)
  }

  /** Posts the handshake once. It is verified by HTTP 200 with the secret as the body. */
  async verifyWebhook(): Promise<unknown> {
    const { webhookUrl: url, clientToken, receiptTimeoutMs: timeoutMs } = this.#options
    if (url === undefined) return { verified: false }
    const secret = randomUUID()
    const acknowledges = ({ status, body }: { status: number; body: Buffer }): boolean =>
      status === 200 && body.toString() === secret
    const handshakeSender = new WebhookSender({ window: 1, timeoutMs, retryMs: 1, maxTries: 1, acknowledges })
    const body = JSON.stringify({ clientToken, secret })
    const verified = await handshakeSender.send({
      url,
      headers: { 'content-type': 'application/json' },
      body,
    })
    handshakeSender.close()
    return { verified }
  }

  /** Sends an event or a message of any user: `?from=…&agentId=…&kind=…`. */
  event({ query }: HttpRequest): unknown {
    const [from, agentId] = [query.get('from') ?? '', query.get('agentId') ?? '']
    const kinds = [...rbmReplyKinds, ...eventTypes]
    const kind = kinds.find((known) => known === query.get('kind'))
    if (from === '' || agentId === '' || kind === undefined) {
      return { error: `from and agentId are required; kind must be one of ${kinds.join(', ')}` }
    }
    const messageId = query.get('messageId') ?? undefined
    void this.sender.post(kind, { from, agentId, id: this.sender.newId(), messageId, suggestion: undefined })
    return { ok: true }
  }

  reset(): void {
    this.files.clear()
    this.sender.forget()
  }
}

export function startRbm(options: Partial<RbmOptions> = {}): Promise<HttpCarrier<RbmEntry>> {
  const settings: RbmOptions = { ...defaults, ...options }
  const server = new RbmServer(settings)
  return startHttpCarrier({
    options: settings,
    state: server.state,
    handler: (request) => server.handle(request),
    control: {
      'POST /expire-tokens': () => ({ expired: server.tokens.expireAll() }),
      'POST /verify-webhook': () => server.verifyWebhook(),
      'POST /event': (request) => server.event(request),
    },
    onReset: () => server.reset(),
  })
}
