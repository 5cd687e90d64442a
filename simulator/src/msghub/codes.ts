/** Codes that the simulator returns, from `claudedocs/msghub-error-codes.md` of RAVNUS-INC/kotify. */
import { json } from '../shared/http-server.ts'
import type { HttpResponse } from '../shared/http-server.ts'

/** Response codes with their HTTP status. */
const responseCodes = {
  '10000': [200, 'success'],
  '20000': [401, 'unknown API key'],
  '20002': [401, 'wrong password'],
  '20004': [401, 'invalid header'],
  '21002': [400, 'invalid file size'],
  '21003': [400, 'unknown file ID'],
  '21004': [400, 'too many files'],
  '21006': [400, 'invalid file type'],
  '21012': [400, 'too many recipients'],
  '21015': [400, 'file ID already registered'],
  '21024': [400, 'a fallback requires a sender number'],
  '21029': [400, 'the file has expired'],
  '29000': [400, 'a required value is not set'],
  '29001': [400, 'invalid parameter'],
  '29002': [400, 'rate exceeded, retry'],
  '29005': [400, 'duplicate message'],
  '29009': [400, 'data not found'],
  '29010': [400, 'invalid request'],
  '29011': [401, 'not authorized'],
  '29018': [200, 'sending limit exceeded'],
} as const satisfies Readonly<Record<string, readonly [status: number, text: string]>>

export type ResponseCode = keyof typeof responseCodes

export function msghubReply(code: ResponseCode, data?: unknown): HttpResponse {
  const [status, message] = responseCodes[code]
  return json(status, { code, message, data })
}

export function describe(code: ResponseCode): string {
  return responseCodes[code][1]
}

/** Report codes. */
export const resultCodes = {
  '10000': 'success',
  '22001': 'spam',
  '22002': 'unregistered sender number',
  '30102': 'timed out',
  '30108': 'other error',
  '30114': 'spam',
  '30116': 'unregistered sender number',
  '30125': 'no subscriber',
  '30126': 'phone switched off',
  '31101': 'invalid recipient number',
  '31106': 'timed out',
  '31107': 'phone switched off',
  '31109': 'other error',
  '31119': 'spam',
  '31121': 'unregistered sender number',
  '32114': 'success uncertain, may arrive within 3 days',
  '32120': 'cannot be sent to this KakaoTalk user',
  '41007': 'revoked, but possibly delivered',
  '51907': 'expired',
  '54003': 'cannot be sent to this phone by RCS',
} as const

export type ResultCode = keyof typeof resultCodes
