/** Lengths as the documents count them, by means that share nothing with the gateway's own counting. */
import { createRequire } from 'node:module'
import { takesTwoOctets } from './cp949-table.ts'

interface SplitSms {
  split(text: string): { readonly parts: readonly unknown[] }
}
const splitter = createRequire(import.meta.url)('split-sms') as SplitSms

/** The form that is sent: composed, with LF line ends. */
export function normal(text: string): string {
  return text.normalize('NFC').replaceAll(/\r\n?/g, '\n')
}

export function unitsOf(text: string): number {
  return normal(text).length
}

/** NaN where a character has no place in CP949: it passes no limit. */
export function octetsOf(text: string): number {
  let octets = 0
  for (const unit of normal(text)
    .split('')
    .map((character) => character.charCodeAt(0))) {
    if (unit < 0x80) octets += 1
    else if (takesTwoOctets(unit)) octets += 2
    else return NaN
  }
  return octets
}

export function internationalParts(text: string): number {
  return splitter.split(normal(text)).parts.length
}
