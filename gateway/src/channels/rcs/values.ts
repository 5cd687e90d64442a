/**
 * Checks single values of an RCS message: lengths, addresses, media references, coordinates, times and phone
 * numbers. Callers name the field and the result code.
 */
import { isFileKey } from '../../contract/file-key.ts'
import { invalidField } from '../../contract/problem.ts'
import type { ResultCode } from '../../contract/result-codes.ts'
import type { Issues } from '../issues.ts'
import { normalizeText } from '../text/normalize.ts'

export const mediaScheme = 'maapfile://'
/** Advice to a client whose message lacks an image. */
export const uploadAdvice = 'upload one with POST /v1/file/RCS and set its media here'

const media = /^maapfile:\/\/[^\s/]\S*$/
/** A video is its address followed by the uploaded thumbnail. */
const video = /^https:\/\/\S+,(maapfile:\/\/[^\s/]\S*)$/
const address = /^[a-z][a-z0-9+.-]*:\/\/\S+$/i
const webAddress = /^https?:\/\/\S+$/i
const degrees = /^-?\d{1,3}(?:\.\d+)?$/
const time = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:Z|[+-](?:0\d|1[0-8]):[0-5]\d)$/
const phone = /^\+?\d{3,15}$/

/** Returns the UTF-16 code units of the normalized text. */
export function countCharacters(text: string): number {
  return normalizeText(text).length
}

export function checkLength(
  text: string | undefined,
  max: number,
  code: ResultCode,
  path: string,
  issues: Issues,
): void {
  if (text === undefined) return
  const length = countCharacters(text)
  if (length > max) issues.add(invalidField(code, path, `must be at most ${max} characters, found ${length}`))
}

/** Accepts the media or the fileKey of an upload. */
export function isMedia(value: string): boolean {
  return media.test(value) || isFileKey(value)
}

/** Returns the media of the upload with this key. */
export function toMedia(fileKey: string): string {
  return mediaScheme + fileKey
}

/** Returns the media of the upload that a value refers to, including a video's thumbnail. */
export function mediaIn(value: string): string | null {
  if (isFileKey(value)) return toMedia(value)
  if (!value.includes(mediaScheme)) return null
  if (media.test(value)) return value
  // With white space in the value, `video` would scan the rest of the text again for every comma.
  return /\s/.test(value) ? null : (video.exec(value)?.[1] ?? null)
}

/** Returns whether the value is the URL of a page or an app. */
export function isAddress(value: string): boolean {
  return address.test(value) && (!webAddress.test(value) || URL.canParse(value))
}

export function isWebAddress(value: string): boolean {
  return webAddress.test(value) && URL.canParse(value)
}

/** Accepts a single backslash instead of an address, which shows the image in full. */
export function isLanding(value: string): boolean {
  return value === '\\' || isAddress(value)
}

export function isDegrees(value: string, bound: number): boolean {
  return degrees.test(value) && Math.abs(Number(value)) <= bound
}

/** Accepts `yyyy-MM-dd'T'HH:mm:ssXXX` with a valid date: carriers read anything else as 1970. */
export function isTime(value: string): boolean {
  const local = time.exec(value)?.[1]
  if (local === undefined) return false
  const moment = Date.parse(`${local}Z`)
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(local)
}

/** Accepts a number to call or to text, including special numbers such as 112. */
export function isPhone(value: string): boolean {
  return phone.test(value)
}
