/**
 * Splits a text into the parts that carriers accept and bill, each with its encoding.
 *
 * Expects normalized text and changes nothing in it: the joined parts are the text. A character of two units
 * (an extension character, a surrogate pair) is never split, so a part can end one unit short. No limit is
 * enforced here.
 */
import { countSeptets, isGsm7, countUnitSeptets } from './gsm7.ts'

export type TextEncoding = 'gsm7' | 'ucs2' | 'cp949'

export interface TextPart {
  readonly kind: 'text'
  readonly text: string
  readonly encoding: TextEncoding
  /** Counted from 1. */
  readonly part: number
  readonly parts: number
  /** A number of 16 bits, the same for all parts of one text; unused if there is one part. */
  readonly concatReference: number
  /** Set if the part leaves room for a reference of 16 bits. */
  readonly wide?: true
}

export interface PartCount {
  readonly encoding: 'gsm7' | 'ucs2'
  /** Septets or UTF-16 units of the whole text. */
  readonly units: number
  readonly parts: number
}

/** Limits the parts, not the length: because no character is split, 765 septets can need six parts. */
export const maxInternationalParts = 5

/**
 * 140 octets of user data, of which the concatenation header takes six if there are several parts, and seven
 * with a reference of 16 bits.
 */
const limits = {
  gsm7: { single: 160, part: 153, widePart: 152 },
  ucs2: { single: 70, part: 67, widePart: 66 },
} as const

export function countInternationalParts(text: string): PartCount {
  const encoding = isGsm7(text) ? 'gsm7' : 'ucs2'
  const units = encoding === 'gsm7' ? countSeptets(text) : text.length
  if (units <= limits[encoding].single) return { encoding, units, parts: 1 }
  let parts = 0
  for (let start = 0; start < text.length; parts++)
    start = partEnd(text, start, encoding, limits[encoding].part)
  return { encoding, units, parts }
}

/**
 * Returns as many parts as `countInternationalParts` counts, because they are billed. An empty text gives one
 * empty part. `wide` leaves room for a reference of 16 bits if that needs no further part.
 */
export function splitInternational(text: string, concatReference: number, wide = false): readonly TextPart[] {
  const { encoding, parts } = countInternationalParts(text)
  const { part: narrowPart, widePart } = limits[encoding]
  const wideTexts = wide && parts > 1 ? splitText(text, encoding, widePart) : []
  const isWide = wideTexts.length === parts
  const texts = parts === 1 ? [text] : isWide ? wideTexts : splitText(text, encoding, narrowPart)
  return texts.map((part, index) => ({
    kind: 'text',
    text: part,
    encoding,
    part: index + 1,
    parts,
    concatReference,
    ...(isWide ? { wide: true } : {}),
  }))
}

function splitText(text: string, encoding: 'gsm7' | 'ucs2', limit: number): string[] {
  const texts: string[] = []
  for (let start = 0; start < text.length;) {
    const end = partEnd(text, start, encoding, limit)
    texts.push(text.slice(start, end))
    start = end
  }
  return texts
}

/**
 * Returns the text as one part: domestic carriers accept only one, and the channel limits its length in CP949
 * octets.
 */
export function domesticPart(text: string): TextPart {
  const fitsGsm7 = isGsm7(text) && countSeptets(text) <= limits.gsm7.single
  return { kind: 'text', text, encoding: fitsGsm7 ? 'gsm7' : 'cp949', part: 1, parts: 1, concatReference: 0 }
}

function partEnd(text: string, start: number, encoding: 'gsm7' | 'ucs2', limit: number): number {
  return encoding === 'gsm7' ? gsm7PartEnd(text, start, limit) : ucs2PartEnd(text, start, limit)
}

function gsm7PartEnd(text: string, start: number, limit: number): number {
  let septets = 0
  let end = start
  while (end < text.length) {
    septets += countUnitSeptets(text.charCodeAt(end))
    if (septets > limit) break
    end++
  }
  return end
}

function ucs2PartEnd(text: string, start: number, limit: number): number {
  const end = start + limit
  if (end >= text.length) return text.length
  // The last unit is the first half of a code point above the BMP: keep both halves together.
  return text.codePointAt(end - 1)! > 0xffff ? end - 1 : end
}
