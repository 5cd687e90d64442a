/**
 * Checks the limits of text messages: SMS, LMS and MMS, international SMS, and the fallback of the other
 * sends.
 */
import type { Violations, Fields } from './fields.ts'
import { internationalParts } from './text.ts'

const digits = /^\d{7,15}$/

export function checkSms(content: Fields, found: Violations, at: string): void {
  found.matches(content['from'], digits, `${at}from`)
  found.needs(content['text'], 90, `${at}text`)
  found.octets(content['text'], 90, `${at}text`)
  checkOrigin(content, found, at)
}

export function checkMms(content: Fields, found: Violations, at: string): void {
  found.matches(content['from'], digits, `${at}from`)
  found.needs(content['text'], 2_000, `${at}text`)
  found.octets(content['text'], 2_000, `${at}text`)
  found.octets(content['title'], 40, `${at}title`)
  found.count(content['fileKey'], 0, 3, `${at}fileKey`)
  checkOrigin(content, found, at)
}

export function checkInternational(content: Fields, found: Violations): void {
  found.matches(content['from'], /^(?:\+?\d+|[\w &.-]{3,11})$/, 'from')
  found.needs(content['text'], 2_000, 'text')
  const parts = typeof content['text'] === 'string' ? internationalParts(content['text']) : NaN
  found.expect(parts <= 5, `text makes ${parts} parts, at most 5`)
}

export function checkFallback(fallback: Fields, found: Violations): void {
  found.oneOf(fallback['type'], ['SMS', 'MMS'], 'fallback.type')
  found.needs(fallback['text'], 2_000, 'fallback.text')
  found.octets(fallback['text'], 2_000, 'fallback.text')
  found.octets(fallback['title'], 40, 'fallback.title')
  found.count(fallback['fileKey'], 0, 3, 'fallback.fileKey')
  checkOrigin(fallback, found, 'fallback.')
}

export function checkOrigin(content: Fields, found: Violations, at: string): void {
  if (content['originCID'] !== undefined) found.matches(content['originCID'], /^\d{9}$/, `${at}originCID`)
}
