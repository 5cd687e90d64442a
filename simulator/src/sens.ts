/**
 * Simulates Naver Cloud SENS v2: SMS, LMS, MMS, alimtalk and brand message on one port, control on another.
 * Shares no code with the gateway.
 *
 * Sources: api.ncloud-docs.com (sens-overview, sens-sms-send, -list, -get and -attachment-create,
 * sens-alimtalk-send, -list and -get, sens-brandmessage-send, -list, -get and -image-create,
 * api-call-lgc-errorhandling; 2026-04 to 2026-10). Undocumented details are from public clients
 * (RAVNUS-INC/kotify, sjk4425/ncloud-mcp-server) and listed in docs/sens.md.
 */
import { CarrierState } from './shared/carrier-state.ts'
import { startHttpCarrier } from './shared/http-carrier.ts'
import { json } from './shared/http-server.ts'
import type { HttpOutcome, HttpResponse, HttpRequest } from './shared/http-server.ts'
import { parseFields, toText, toObjects } from './shared/json-body.ts'
import type { Fields } from './shared/json-body.ts'
import { eucKrBytes } from './shared/korean.ts'
import { evictOldest } from './shared/evict-oldest.ts'
import { MalformedMultipart, parseBoundary, parseHeaderValue, readMultipart } from './shared/multipart.ts'
import { respondToSubmission, contentKey, refuseSubmission } from './shared/provider-submission.ts'
import type { LogEntry } from './shared/received-log.ts'
import type { HttpCarrier } from './shared/running-carrier.ts'
import { SentMessages } from './shared/sent-messages.ts'
import { behaviourFor } from './sens/behaviours.ts'
import { gatewayError, notFound, serviceError } from './sens/errors.ts'
import { isoTime, listMessages, messageView, sendView } from './sens/messages.ts'
import type { SensMessage } from './sens/messages.ts'
import { defaults } from './sens/settings.ts'
import type { SensOptions } from './sens/settings.ts'
import { isAuthentic } from './sens/signature.ts'
import { checkSend, readSensAttachment } from './sens/validate.ts'
import type { SensChannel } from './sens/validate.ts'

export type { SensOptions }

export interface SensEntry extends LogEntry {
  readonly channel: SensChannel
  /** `SMS`, `LMS`, `MMS` or the type of a brand message; empty for an alimtalk. */
  readonly type: string
  readonly text: string
  /** Whether the text exceeds the deliverable length of an SMS, LMS or MMS. */
  readonly truncated: boolean
  /** Whether SENS would send an SMS if the message failed. */
  readonly fallback: boolean
  readonly request: Fields
}

const MAX_JSON_BYTES = 1_048_576
const MAX_FILES = 10_000
const FILE_TTL_MS = 6 * 86_400_000
const imageTypes = [
  'BASIC',
  'WIDE',
  'WIDE_ITEM_LIST_MAIN',
  'WIDE_ITEM_LIST_SUB',
  'CAROUSEL_FEED',
  'CAROUSEL_COMMERCE',
]

class SensServer {
  readonly state: CarrierState<SensEntry>
  readonly #options: SensOptions
  readonly #messages = new SentMessages<SensMessage>()
  /** Ids of attachments and images. An attachment with the same name and size keeps its id. */
  readonly #files = new Map<string, string>()
  fallbacks = 0

  constructor(options: SensOptions) {
    this.#options = options
    this.state = new CarrierState(options, () => true)
  }

  handle(request: HttpRequest): HttpOutcome | Promise<HttpOutcome> {
    const [, channelName, serviceId, rest] =
      /^\/(sms|alimtalk|brandmessage)\/v2\/services\/([^/]+)\/(.+)$/.exec(request.path) ?? []
    if (channelName === undefined || serviceId === undefined) return gatewayError('404/300')
    if (!isAuthentic(request, this.#options)) return gatewayError('401/200')
    const channel = channelName as SensChannel
    const { smsServiceId, bizServiceId } = this.#options
    const expectedServiceId = channel === 'sms' ? smsServiceId : bizServiceId
    if (
      expectedServiceId !== undefined &&
      ![expectedServiceId, encodeURIComponent(expectedServiceId)].includes(serviceId)
    )
      return serviceError(403, 'unknown service')
    const [, messageId] = /^messages\/([^/]+)$/.exec(rest ?? '') ?? []
    switch (`${request.method} ${messageId === undefined ? rest : 'message'}`) {
      case 'POST messages':
        return this.#send(channel, request.body)
      case 'GET messages':
        return listMessages(channel, request.query, this.#messages)
      case 'GET message': {
        const message = this.#messages.get(messageId!)
        return message?.channel === channel ? json(200, messageView(message, 'single')) : notFound
      }
      case 'POST files':
        return channel === 'sms' ? this.#uploadAttachment(request.body) : gatewayError('404/300')
      case 'POST images':
        return channel === 'brandmessage' ? this.#uploadImage(request) : gatewayError('404/300')
      default:
        return gatewayError('404/300')
    }
  }

  /** Handles a send request. The first message selects the response; each message selects its own result. */
  async #send(channel: SensChannel, body: Buffer): Promise<HttpOutcome> {
    const { counters } = this.state
    this.state.countSubmit()
    const request = parseFields(body, MAX_JSON_BYTES)
    const knowsFile = (id: string): boolean => [...this.#files.values()].includes(id)
    const fault =
      request === undefined
        ? 'the body is not JSON'
        : checkSend(channel, request, { options: this.#options, knowsFile })
    if (request === undefined || fault !== undefined) {
      counters.refused++
      return serviceError(400, fault ?? '')
    }
    const recipients = toObjects(request['messages'])
    const behaviour = behaviourFor(toText(recipients[0]!['to']))
    const carrier = { state: this.state, options: this.#options }
    const refusal = refuseSubmission(behaviour, contentKey(channel, request), carrier)
    if (refusal === 'abandoned') return 'disconnect'
    if (refusal === 'throttled') return gatewayError('429/410')
    if (refusal === '400') return serviceError(400, 'to is not valid')
    if (refusal !== undefined) return gatewayError(refusal)
    counters.accepted++
    const requestId = `RSSA-${this.state.numbers.next()}`
    const messages = recipients.map((recipient) => this.#accept(channel, request, recipient, requestId))
    const accepted = json(202, sendView(channel, requestId, messages))
    return respondToSubmission(behaviour, { accepted, serverError: gatewayError('504/510') }, carrier)
  }

  #accept(channel: SensChannel, request: Fields, recipient: Fields, requestId: string): SensMessage {
    const to = toText(recipient['to'])
    const { results, late } = behaviourFor(to)
    const createdAt = Date.now()
    const delayMs = late ? this.#options.lateMs : this.#options.receiptDelayMs
    // The channel setting applies if the field is not set, and may enable the fallback.
    const fallback = channel !== 'sms' && recipient['useSmsFailover'] !== false
    if (fallback) this.fallbacks++
    const message: SensMessage = {
      id: this.#newId(),
      requestId,
      channel,
      to,
      createdAt,
      completesAt: results.length === 0 ? Infinity : createdAt + delayMs,
      resultCode: results[0]?.[channel === 'sms' ? 'sms' : 'kakao'] ?? '',
      request,
      recipient,
    }
    this.#messages.add(message)
    const text = toText(recipient['content']) || toText(request['content'])
    const type = toText(request['type']).toUpperCase() || toText(request['messageType'])
    const truncated = channel === 'sms' && eucKrBytes(text) > (type === 'SMS' ? 90 : 2000)
    const key = contentKey(channel, { ...request, messages: null }, recipient)
    this.state.log.add({ id: message.id, to, key, channel, type, text, truncated, fallback, request })
    return message
  }

  #newId(): string {
    const hex =
      this.state.numbers.next().toString(16).padStart(16, '0') + this.state.numbers.noise(8).repeat(2)
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }

  #rememberAttachment(nameAndSize: string): string {
    const existing = this.#files.get(nameAndSize)
    if (existing !== undefined) return existing
    evictOldest(this.#files, MAX_FILES)
    const id = this.#newId()
    this.#files.set(nameAndSize, id)
    return id
  }

  #uploadAttachment(body: Buffer): HttpResponse {
    const fields = parseFields(body, MAX_JSON_BYTES)
    const size = fields === undefined ? 'the body is not JSON' : readSensAttachment(fields)
    if (typeof size === 'string') return serviceError(400, size)
    const fileId = this.#rememberAttachment(`${toText(fields!['fileName'])} ${size}`)
    const now = Date.now()
    return json(200, { fileId, createTime: isoTime(now), expireTime: isoTime(now + FILE_TTL_MS) })
  }

  #uploadImage({ headers, body }: HttpRequest): HttpResponse {
    try {
      const parts = readMultipart(body, parseBoundary(headers['content-type'] ?? ''))
      const named = parts.map((part) => ({
        disposition: parseHeaderValue(part.headers.get('content-disposition') ?? '').parameters,
        part,
      }))
      const imageType = named
        .find(({ disposition }) => disposition.get('name') === 'imageType')
        ?.part.body.toString()
      const image = named.find(({ disposition }) => disposition.get('name') === 'imageFile')
      if (image === undefined || imageType === undefined || !imageTypes.includes(imageType))
        return serviceError(400, 'imageType and imageFile are required')
      const imageId = this.#newId()
      evictOldest(this.#files, MAX_FILES)
      this.#files.set(imageId, imageId)
      const imageUrl = `https://mud-kage.kakao.com/dn/sens/${imageId}/img_l.jpg`
      return json(200, { imageId, imageUrl, imageType, imageName: image.disposition.get('filename') ?? '' })
    } catch (error) {
      if (error instanceof MalformedMultipart) return serviceError(400, error.message)
      throw error
    }
  }

  reset(): void {
    this.#messages.clear()
    this.#files.clear()
    this.fallbacks = 0
  }
}

export function startSens(options: Partial<SensOptions> = {}): Promise<HttpCarrier<SensEntry>> {
  const settings: SensOptions = { ...defaults, ...options }
  const server = new SensServer(settings)
  return startHttpCarrier({
    options: settings,
    state: server.state,
    handler: (request) => server.handle(request),
    control: { 'GET /fallbacks': () => ({ fallbacks: server.fallbacks }) },
    onReset: () => server.reset(),
  })
}
