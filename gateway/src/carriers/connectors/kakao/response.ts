/** Parses JSON from Kakao; every field is checked. */
import { parseLosslessJson } from '../http/lossless-json.ts'
import { readKoreanTime } from '../http/korean-time.ts'
import type { KakaoJson } from './snake-case.ts'

/** Codes have four digits; four to eight digits or letters are accepted. Other values are ignored. */
const codePattern = /^[0-9A-Z]{4,8}$/i
const maxTextLength = 256

export interface KakaoResponse {
  /** Empty if the response has none. */
  readonly code: string
  readonly text: string
  /** Time at which Kakao received the request; null if absent or unreadable. */
  readonly at: Date | null
  readonly body: KakaoJson
}

export function parseKakaoResponse(octets: Buffer): KakaoResponse {
  const body = parseObject(octets)
  return {
    code: readCodeField(body, 'code'),
    text: readTextField(body, 'message', maxTextLength),
    at: readKoreanTime(readTextField(body, 'received_at', 40)),
    body,
  }
}

export function parseKakaoJson(octets: Buffer): unknown {
  try {
    return parseLosslessJson(octets.toString())
  } catch {
    return null
  }
}

export function asObject(value: unknown): KakaoJson {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as KakaoJson) : {}
}

function parseObject(octets: Buffer): KakaoJson {
  return asObject(parseKakaoJson(octets))
}

/** Reads a code that is a string or a number; the number 0 is `0000`. */
export function readCodeField(body: KakaoJson, name: string): string {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 9_999)
    return String(value).padStart(4, '0')
  return typeof value === 'string' && codePattern.test(value) ? value : ''
}

/** Returns an empty string for other types, and truncates longer strings. */
export function readTextField(body: KakaoJson, name: string, maxLength: number): string {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  return typeof value === 'string' ? value.slice(0, maxLength) : ''
}
