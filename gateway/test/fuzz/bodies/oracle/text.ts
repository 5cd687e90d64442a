/** Counts lengths as the documents define them, independently of the gateway's counting. */
import { createRequire } from 'node:module'
import { plainEquivalents } from '../../../../src/channels/text/smart-encoding.ts'
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

/** Returns a domestic text as it is sent: with the published equivalents if CP949 lacks one of its characters. */
export function toDomesticText(text: string): string {
  const normalized = normalizeText(text)
  if (!Number.isNaN(countUnitOctets(normalized))) return normalized
  return plainEquivalents.reduce(
    (sent, { characters, equivalent }) =>
      Array.from(characters).reduce((rest, character) => rest.replaceAll(character, equivalent), sent),
    normalized,
  )
}

/** Returns NaN, which passes no limit, if the text cannot be sent. */
export function countOctets(text: string): number {
  return countUnitOctets(toDomesticText(text))
}

function countUnitOctets(text: string): number {
  let octets = 0
  for (const unit of text.split('').map((character) => character.charCodeAt(0))) {
    if (unit < 0x80) octets += 1
    else if (takesTwoOctets(unit)) octets += 2
    else return NaN
  }
  return octets
}

export function internationalParts(text: string): number {
  return splitter.split(normalizeText(text)).parts.length
}
