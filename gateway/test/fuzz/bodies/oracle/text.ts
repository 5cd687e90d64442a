/** Counts lengths as the documents define them, independently of the gateway's counting. */
import { createRequire } from 'node:module'
import { takesTwoOctets } from './cp949-table.ts'

interface SplitSms {
  split(text: string): { readonly parts: readonly unknown[] }
}
const splitter = createRequire(import.meta.url)('split-sms') as SplitSms

/** Returns the text as it is sent: composed, with LF line ends. */
export function normalizeText(text: string): string {
  return text.normalize('NFC').replaceAll(/\r\n?/g, '\n')
}

export function countUnits(text: string): number {
  return normalizeText(text).length
}

/** Returns NaN, which passes no limit, if CP949 lacks a character. */
export function countOctets(text: string): number {
  let octets = 0
  for (const unit of normalizeText(text)
    .split('')
    .map((character) => character.charCodeAt(0))) {
    if (unit < 0x80) octets += 1
    else if (takesTwoOctets(unit)) octets += 2
    else return NaN
  }
  return octets
}

export function internationalParts(text: string): number {
  return splitter.split(normalizeText(text)).parts.length
}
