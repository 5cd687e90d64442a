/**
 * Splits a text into the parts that carriers accept, each with its encoding: what is sent and what is billed.
 *
 * Expects normalized text and changes nothing in it: the parts joined are the text. A character of two units
 * (an extension character, a surrogate pair) is never split, so a part may end one unit short. No limit
 * is enforced here.
 */
import { countSeptets, isGsm7, septetsOf } from './gsm7.ts'

export type TextEncoding = 'gsm7' | 'ucs2' | 'cp949'

export interface TextPart {
  readonly kind: 'text'
  readonly text: string
  readonly encoding: TextEncoding
  /** From 1. */
  readonly part: number
  readonly parts: number
  /** The same for all parts of one text; unused when there is one part. */
  readonly concatReference: number
}

export interface PartCount {
  readonly encoding: 'gsm7' | 'ucs2'
  /** Septets or UTF-16 units of the whole text. */
  readonly units: number
  readonly parts: number
}

/** The limit applies to parts, not to length: as no character is split, 765 septets can need six parts. */
export const maxInternationalParts = 5

/** 140 octets of user data, of which the concatenation header takes six when there are several parts. */
const limits = {
  gsm7: { single: 160, part: 153 },
  ucs2: { single: 70, part: 67 },
} as const

export function countInternationalParts(text: string): PartCount {
  const encoding = isGsm7(text) ? 'gsm7' : 'ucs2'
  const units = encoding === 'gsm7' ? countSeptets(text) : text.length
  if (units <= limits[encoding].single) return { encoding, units, parts: 1 }
  let parts = 0
  for (let start = 0; start < text.length; parts++) start = partEnd(text, start, encoding)
  return { encoding, units, parts }
}

/** An empty text gives one empty part. */
export function splitInternational(text: string, concatReference: number): readonly TextPart[] {
  const { encoding, parts } = countInternationalParts(text)
  if (parts === 1) return [{ kind: 'text', text, encoding, part: 1, parts, concatReference }]
  const split: TextPart[] = []
  for (let start = 0; start < text.length;) {
    const end = partEnd(text, start, encoding)
    const part = split.length + 1
    split.push({ kind: 'text', text: text.slice(start, end), encoding, part, parts, concatReference })
    start = end
  }
  return split
}

/** Domestic carriers accept one part; the channel limits its length in CP949 octets. */
export function domesticPart(text: string): TextPart {
  const plain = isGsm7(text) && countSeptets(text) <= limits.gsm7.single
  return { kind: 'text', text, encoding: plain ? 'gsm7' : 'cp949', part: 1, parts: 1, concatReference: 0 }
}

function partEnd(text: string, start: number, encoding: 'gsm7' | 'ucs2'): number {
  return encoding === 'gsm7' ? gsm7PartEnd(text, start) : ucs2PartEnd(text, start)
}

function gsm7PartEnd(text: string, start: number): number {
  let septets = 0
  let end = start
  while (end < text.length) {
    septets += septetsOf(text.charCodeAt(end))
    if (septets > limits.gsm7.part) break
    end++
  }
  return end
}

function ucs2PartEnd(text: string, start: number): number {
  const end = start + limits.ucs2.part
  if (end >= text.length) return text.length
  // A code point above the BMP at the last unit: its second half would begin the next part.
  return text.codePointAt(end - 1)! > 0xffff ? end - 1 : end
}
