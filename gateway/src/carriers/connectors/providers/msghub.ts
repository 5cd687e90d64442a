import { createHash, hash, randomBytes } from 'node:crypto'
import type { Cause } from '../../../channels/cause.ts'
import type { MobileCarrier } from '../../../channels/mobile-carriers.ts'
import { writeForm } from '../http/multipart.ts'
import {
  accepted,
  accountName,
  apiUrl,
  at,
  defineProvider,
  formatKoreanTime,
  getRequest,
  jsonRequest,
  listAt,
  readKoreanTime,
  readTokenText,
  refused,
  secret,
  standardOutcome,
  textAt,
  valueAt,
  type ProviderResponse,
  type ProviderFailure,
  type ProviderReceipt,
  type ProviderReply,
} from './kit/index.ts'

const succeeded = '10000'
const throttledCode = '29002'
/** The same cliKey within ten minutes. No source states whether a throttled submission uses up its key. */
const duplicate = '29005'
const causes: Readonly<Record<string, Cause>> = {
  '21001': 'night-hours',
  '21049': 'origin-code',
  '30114': 'spam',
  '30115': 'night-hours',
  '30116': 'unregistered-sender',
  '30117': 'unregistered-sender',
  '30120': 'unregistered-sender',
  '30126': 'phone-off',
  '31119': 'spam',
  '31121': 'unregistered-sender',
  '31122': 'unregistered-sender',
  '31124': 'unregistered-sender',
}
/** Reported as failed although the message can have arrived. */
const uncertain = new Set(['41007', '54004', '55806', '55820'])
const carriers: Readonly<Record<string, MobileCarrier>> = { SKT: '10001', KT: '10002', LGU: '10003' }
const tokenLifetimeMs = 3_600_000
/** The response states when a file expires; an hour is shorter than any documented lifetime. */
const fileLifetimeMs = 3_600_000
const dayMs = 86_400_000

export const msghub = defineProvider({
  name: 'msghub',
  summary: 'SMS, LMS and MMS over LG U+ msghub.',
  channels: ['sms', 'mms'],
  sources: [
    'https://github.com/total-msg-hub/restapi_sample',
    'https://github.com/RAVNUS-INC/kotify/blob/main/app/msghub/client.py',
    'https://github.com/RAVNUS-INC/kotify/blob/main/app/msghub/codes.py',
  ],
  checked: '2026-11-18',
  unconfirmed: [
    'The guide of LG U+ was not accessible. The module is based on its samples of 2022 and on public programs that use the API.',
    'In replies, moNumber is our number and moCallback the user, as in the samples of LG U+; another program reads them the other way round.',
    'The paths /xms/sms/v1 and /xms/mms/v1 replace /msg/v1/sms and /msg/v1/mms, which one program calls deprecated.',
  ],
  notes:
    'Register the source IP addresses of the gateway at msghub. Callbacks are not signed: callbackToken is part of the URL to register for reports and replies. Set `poll` if no URL is registered. RCS and alimtalk over msghub are not supported.',
  account: {
    url: apiUrl('https://api.msghub.uplus.co.kr'),
    sendUrl: apiUrl('https://api-send.msghub.uplus.co.kr'),
    fileUrl: apiUrl('https://mnt-api.msghub.uplus.co.kr'),
    apiKey: accountName('API key.', 64),
    apiPassword: secret('API password.'),
  },
  example: {
    apiKey: 'my-key',
    apiPassword: 'env:POSTERN_ROUTE_SECRET_MSGHUB',
    callbackUrl: 'https://sms.example.com/inbound/my-route',
    callbackToken: 'env:POSTERN_ROUTE_SECRET_MSGHUB_CALLBACK',
  },
  login: ({ url, apiKey }) => [url, apiKey],
  authorize: (_request, _route, token) => ({ authorization: token }),

  tokens: {
    lifetimeMs: tokenLifetimeMs,
    request({ account }) {
      const random = randomBytes(8).toString('hex')
      const apiPwd = sha512(`${sha512(account.apiPassword)}.${random}`)
      return jsonRequest(at(account.url)`/auth/v1/${random}`, { apiKey: account.apiKey, apiPwd })
    },
    read(answer) {
      const token = readTokenText(valueAt(answer.json, 'data', 'token'))
      if (answer.isSuccess && token !== null)
        return { kind: 'token', authorization: `Bearer ${token}`, lifetimeMs: null }
      const code = textAt(answer.json, 'code') || `http:${answer.status}`
      return { kind: 'no-token', code, isLoginRefused: isLoginCode(code) || answer.status === 401 }
    },
    refusal: ({ status, json }) => {
      const code = textAt(json, 'code')
      return status === 401 || isLoginCode(code) ? code || 'http:401' : null
    },
  },

  upload: {
    lifetimeMs: fileLifetimeMs,
    request(file, { account }) {
      const digest = hash('sha256', file.bytes)
      const reqFile = JSON.stringify({ fileId: digest, wideYn: 'N' })
      const { contentType, body } = writeForm('filePart', file, digest, { reqFile })
      const headers = { 'content-type': contentType }
      return { method: 'POST', url: at(account.fileUrl)`/file/v1/mms`, headers, body }
    },
    read(answer) {
      const reference = textAt(answer.json, 'data', 'fileId')
      const isUploaded = textAt(answer.json, 'code') === succeeded && reference !== ''
      return isUploaded ? { kind: 'uploaded', reference } : readError(answer, answer.json)
    },
  },

  ownId: toKey,
  send({ message, reference, from, to }, { account, number }, files) {
    const recipient = { cliKey: toKey(reference), phone: number(to, 'domestic') }
    const common = { callback: number(from, 'domestic'), recvInfoLst: [recipient] }
    if (message.channel === 'sms')
      return jsonRequest(at(account.sendUrl)`/xms/sms/v1`, { ...common, msg: message.content.text })
    if (message.channel !== 'mms') return refused('unsupported', 'msghub:channel', 'SMS, LMS and MMS only')
    const { title = '', text: msg } = message.content
    const fileIdLst = files.length === 0 ? undefined : files
    return jsonRequest(at(account.sendUrl)`/xms/mms/v1`, { ...common, title, msg, fileIdLst })
  },
  parseResponse(answer, { reference }) {
    const item = listAt(answer.json, 'data')[0]
    const code = textAt(answer.json, 'code')
    const itemCode = textAt(item, 'code')
    const isAccepted = answer.isSuccess && code === succeeded && (itemCode === '' || itemCode === succeeded)
    if (isAccepted) return accepted(toKey(reference))
    if (code === duplicate || itemCode === duplicate)
      return {
        kind: 'unknown',
        code: duplicate,
        text: 'the key was already used; a lookup determines the result',
      }
    return readError(answer, code === succeeded ? item : answer.json)
  },

  callback: {
    verify: 'path',
    response: { status: 200, contentType: 'application/json', body: '{"code":"10000"}' },
    read(body) {
      const reports = listAt(body, 'rptLst')
      const replies = listAt(body, 'moLst')
      if (valueAt(body, 'rptLst') === undefined && valueAt(body, 'moLst') === undefined) return null
      return { receipts: reports.map(toReceipt), replies: replies.map(toReply) }
    },
  },

  /** Results are returned until they are acknowledged, so the cursor is empty. */
  poll: {
    everyMs: 10_000,
    start: () => '',
    request: (_cursor, { account }) => getRequest(at(account.url)`/msg/v1.2/report`),
    read(answer, cursor, _now, { account }) {
      if (textAt(answer.json, 'code') !== succeeded) return null
      const key = textAt(answer.json, 'data', 'rptKey')
      const reports = listAt(answer.json, 'data', 'rptLst')
      const receipts = reports.map(toReceipt)
      if (key === '') return { receipts, cursor, hasMore: false }
      const acknowledge = jsonRequest(at(account.url)`/msg/v1.2/report/result`, { rptKeyLst: [key] })
      return { receipts, cursor, hasMore: reports.length > 0, acknowledge }
    },
  },

  lookup: {
    by: 'reference',
    request({ reference, submittedAt }, { account }) {
      // msghub can have registered a message around midnight under the next day.
      const days = [submittedAt, new Date(submittedAt.getTime() + dayMs)].map(toDay)
      const cliKeyLst = days.map((reqDt) => ({ cliKey: toKey(reference), reqDt }))
      return jsonRequest(at(account.url)`/msg/v1/sent`, { cliKeyLst })
    },
    read(answer) {
      if (textAt(answer.json, 'code') !== succeeded) return null
      const items = listAt(answer.json, 'data', 'cliKeyLst')
      const known = items.find((item) => ['REG', 'ING', 'DONE'].includes(textAt(item, 'status')))
      if (known === undefined) return 'not-found'
      const receipt = toReceipt(known)
      return textAt(known, 'status') === 'DONE' ? receipt : { ...receipt, result: 'pending' }
    },
  },
})

/** Derives a cliKey, which has at most 30 characters, from a reference of up to 50. */
function toKey(reference: string): string {
  return hash('sha256', reference).slice(0, 30)
}

function sha512(value: string): string {
  return createHash('sha512').update(value).digest('base64')
}

function isLoginCode(code: string): boolean {
  return /^2000[0-4]$/.test(code) || code === '29011' || code === '29025'
}

/** Formats the day in Korea as `2026-11-18`. */
function toDay(time: Date): string {
  return formatKoreanTime(time).slice(0, 10)
}

function readError(answer: ProviderResponse, item: unknown): ProviderFailure {
  const code = textAt(item, 'code')
  const text = textAt(item, 'message')
  if (code === throttledCode) return { kind: 'throttled', code }
  if (code === '29018') return { kind: 'account-refused', code, text }
  if (answer.isSuccess && /^\d{5}$/.test(code) && !code.startsWith('49'))
    return refused(causes[code] ?? 'refused', code, text)
  return standardOutcome(answer, { code, text, cause: causes[code] })
}

function toReceipt(item: unknown): ProviderReceipt {
  const code = textAt(item, 'resultCode')
  return {
    id: textAt(item, 'cliKey'),
    result: code === succeeded ? 'delivered' : code === '' ? 'pending' : 'failed',
    cause: uncertain.has(code) ? 'outcome-unknown' : causes[code],
    code,
    at: readKoreanTime(valueAt(item, 'rptDt')),
    carrier: carriers[textAt(item, 'telco')],
  }
}

function toReply(item: unknown): ProviderReply {
  return {
    id: textAt(item, 'moKey'),
    from: textAt(item, 'moCallback'),
    to: textAt(item, 'moNumber'),
    text: textAt(item, 'moMsg'),
    at: readKoreanTime(valueAt(item, 'moRecvDt')),
  }
}
