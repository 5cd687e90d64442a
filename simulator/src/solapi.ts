/**
 * Simulates a SOLAPI (CoolSMS) v4 server: sending, lists, file upload and report webhooks. Shares no code
 * with the gateway.
 *
 * Sources: solapi/documents (api-key.md, sendSimpleMessage.md, getMessageList.md, uploadfile.md,
 * message-api-v4, message-status-codes.md); solapi/solapi-nodejs 6.0.1 (send-many/detail, message types, list
 * response, five webhook calls). The two webhook headers are known only from public receivers.
 */
import { CarrierState } from './shared/carrier-state.ts'
import { startHttpCarrier } from './shared/http-carrier.ts'
import { json } from './shared/http-server.ts'
import type { HttpOutcome, HttpResponse, HttpRequest } from './shared/http-server.ts'
import { parseFields, toText } from './shared/json-body.ts'
import type { Fields } from './shared/json-body.ts'
import { evictOldest } from './shared/evict-oldest.ts'
import type { HttpCarrier } from './shared/running-carrier.ts'
import { Authenticator } from './solapi/authenticate.ts'
import { solapiCodes } from './solapi/codes.ts'
import { MessageStore } from './solapi/message-store.ts'
import { ACCOUNT_ID, SolapiSender, error } from './solapi/send.ts'
import type { RegisteredMessage, SolapiEntry } from './solapi/send.ts'
import { defaults } from './solapi/settings.ts'
import type { SolapiOptions } from './solapi/settings.ts'
import { readMessage } from './solapi/validate.ts'
import type { SolapiMessage } from './solapi/validate.ts'

export type { SolapiEntry, SolapiOptions }

const MAX_MESSAGES = 10_000
const MAX_FILES = 10_000
/** The limit of the brand message types is not documented. */
const maxFileBytes: Readonly<Record<string, number>> = {
  MMS: 204_800,
  KAKAO: 512_000,
  DOCUMENT: 2_097_152,
  BMS: 512_000,
  BMS_WIDE: 512_000,
  BMS_WIDE_MAIN_ITEM_LIST: 512_000,
  BMS_WIDE_SUB_ITEM_LIST: 512_000,
  BMS_CAROUSEL_FEED_LIST: 512_000,
  BMS_CAROUSEL_COMMERCE_LIST: 512_000,
}
const chargedTypes = [
  'sms',
  'lms',
  'mms',
  'ata',
  'cta',
  'cti',
  'nsa',
  'rcs_sms',
  'rcs_lms',
  'rcs_mms',
  'rcs_tpl',
]

function validationError(message: string): HttpResponse {
  return error(400, 'ValidationError', message)
}

class SolapiServer {
  readonly state: CarrierState<SolapiEntry>
  readonly #options: SolapiOptions
  readonly #authenticator: Authenticator
  readonly #store = new MessageStore()
  readonly #files = new Set<string>()
  readonly #sender: SolapiSender

  constructor(options: SolapiOptions) {
    this.#options = options
    this.state = new CarrierState(options, ({ status }) => status === 200)
    this.#authenticator = new Authenticator(options.apiKey, options.apiSecret)
    this.#sender = new SolapiSender(options, this.state, this.#store, (fileId) => this.#files.has(fileId))
  }

  async handle(request: HttpRequest): Promise<HttpOutcome> {
    const refusal = this.#authenticator.check(request.headers.authorization)
    if (refusal !== undefined) return error(403, refusal, 'authentication failed')
    if (request.method === 'GET' && request.path === '/messages/v4/list') return this.#list(request.query)
    const fields = parseFields(request.body, this.#options.maxBodyBytes)
    switch (`${request.method} ${request.path}`) {
      case 'POST /messages/v4/send':
        return fields?.['message'] === undefined
          ? validationError('message is required')
          : this.#sender.send([readMessage(fields['message'])], true, composeOne)
      case 'POST /messages/v4/send-many/detail':
        return this.#sendMany(fields ?? {})
      case 'POST /storage/v1/files':
        return this.#upload(fields ?? {})
      default:
        return error(404, 'ResourceNotFound', 'path not found')
    }
  }

  #list(query: URLSearchParams): HttpResponse {
    const page = this.#store.list(query)
    return page === undefined ? validationError('invalid date or limit') : json(200, page)
  }

  #sendMany(fields: Fields): HttpOutcome | Promise<HttpOutcome> {
    const list: unknown = fields['messages']
    if (!Array.isArray(list) || list.length === 0)
      return validationError('messages must be a non-empty array')
    if (list.length > MAX_MESSAGES)
      return error(413, 'RecipientsTooMany', `at most ${MAX_MESSAGES} messages allowed`)
    const messages = list.map(readMessage) as [SolapiMessage, ...SolapiMessage[]]
    const allowDuplicates = fields['allowDuplicates'] === true
    return this.#sender.send(messages, allowDuplicates, (groupId, registered) =>
      composeMany(groupId, registered, allowDuplicates, fields['showMessageList'] === true),
    )
  }

  #upload(fields: Fields): HttpResponse {
    const type = toText(fields['type']) || 'DOCUMENT'
    const file = Buffer.from(toText(fields['file']), 'base64')
    const limit = maxFileBytes[type]
    if (limit === undefined || file.length === 0 || file.length > limit)
      return validationError('invalid file or type')
    const fileId = `ST01FZ${this.state.numbers.next().toString(36)}`
    evictOldest(this.#files, MAX_FILES)
    this.#files.add(fileId)
    const now = new Date().toISOString()
    const name = toText(fields['name']) || fileId
    return json(200, {
      type,
      originalName: name,
      link: fields['link'] ?? null,
      fileId,
      name,
      url: `https://storage.example/${fileId}`,
      accountId: ACCOUNT_ID,
      dateCreated: now,
      dateUpdated: now,
    })
  }

  /** Clears messages and files. Signatures stay used. */
  clear(): void {
    this.#sender.clear()
    this.#store.clear()
    this.#files.clear()
  }
}

function composeOne(groupId: string, [registered]: readonly RegisteredMessage[]): HttpResponse {
  const { messageId, code } = registered!
  if (code === '1030') return error(402, 'NotEnoughBalance', solapiCodes['1030'])
  if (code !== '2000') return error(400, 'InvalidStatusCode', `${messageId} 의 statusCode(${code})`)
  return json(200, { groupId, ...buildResult(registered!) })
}

function buildResult({ message, messageId, code }: RegisteredMessage): Fields {
  const { to, from, type, country, fields } = message
  return {
    to,
    from,
    type,
    country,
    messageId,
    statusCode: code,
    statusMessage: solapiCodes[code],
    accountId: ACCOUNT_ID,
    customFields: fields['customFields'],
  }
}

function composeMany(
  groupId: string,
  registered: readonly RegisteredMessage[],
  allowDuplicates: boolean,
  showMessageList: boolean,
): HttpResponse {
  const results = registered.map(buildResult)
  const failedMessageList = results.filter(({ statusCode }) => statusCode !== '2000')
  const now = new Date().toISOString()
  const cash = { requested: 0, replacement: 0, refund: 0, sum: 0 }
  return json(200, {
    failedMessageList,
    groupInfo: {
      count: {
        total: results.length,
        sentTotal: 0,
        sentFailed: 0,
        sentSuccess: 0,
        sentPending: 0,
        sentReplacement: 0,
        refund: 0,
        registeredFailed: failedMessageList.length,
        registeredSuccess: results.length - failedMessageList.length,
      },
      countForCharge: Object.fromEntries(chargedTypes.map((type) => [type, {}])),
      balance: cash,
      point: cash,
      app: { profit: Object.fromEntries(chargedTypes.map((type) => [type, 0])), appId: null },
      log: [],
      status: 'SENDING',
      allowDuplicates,
      isRefunded: false,
      accountId: ACCOUNT_ID,
      masterAccountId: null,
      apiVersion: '4',
      groupId,
      price: {},
      dateSent: now,
      dateCompleted: null,
      dateCreated: now,
      dateUpdated: now,
    },
    messageList: showMessageList ? results : undefined,
  })
}

export function startSolapi(options: Partial<SolapiOptions> = {}): Promise<HttpCarrier<SolapiEntry>> {
  const settings: SolapiOptions = { ...defaults, ...options }
  const server = new SolapiServer(settings)
  return startHttpCarrier({
    options: settings,
    state: server.state,
    handler: (request) => server.handle(request),
    onReset: () => server.clear(),
    onClose: () => server.clear(),
  })
}
