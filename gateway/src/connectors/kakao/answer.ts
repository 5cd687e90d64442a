/** Reads the JSON that Kakao answers and sends, none of which is trusted. Pure. */
import { parseExact } from '../exact-json.ts'
import { readKoreanTime } from '../korean-time.ts'
import type { Json } from './snake-case.ts'

/** A code has four digits. Anything else says nothing. */
const codePattern = /^[0-9A-Z]{4,8}$/i
const maxTextLength = 256

export interface Answer {
  /** Empty when there is none. */
  readonly code: string
  readonly text: string
  readonly at: Date | null
  readonly body: Json
}

export function readAnswer(octets: Buffer): Answer {
  const body = parseObject(octets)
  return {
    code: codeIn(body, 'code'),
    text: textIn(body, 'message', maxTextLength),
    at: readKoreanTime(textIn(body, 'received_at', 40)),
    body,
  }
}

export function parseJson(octets: Buffer): unknown {
  try {
    return parseExact(octets.toString())
  } catch {
    return null
  }
}

export function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

function parseObject(octets: Buffer): Json {
  return asObject(parseJson(octets))
}

/** A code may be a text or a number; `0000` as a number is 0. */
export function codeIn(body: Json, name: string): string {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 9_999)
    return String(value).padStart(4, '0')
  return typeof value === 'string' && codePattern.test(value) ? value : ''
}

/** Empty when it is not a text; cut when it is longer. */
export function textIn(body: Json, name: string, maxLength: number): string {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  return typeof value === 'string' ? value.slice(0, maxLength) : ''
}
