/**
 * From a text to the parts that carriers take, each with its alphabet: what is sent and what is billed.
 *
 * Expects normalised text and changes nothing in it: the parts joined are the text. A character of two units
 * (an extension character, a surrogate pair) is never cut in half, so a part may end one unit short. No limit
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
  /** The same for all parts of one text; without meaning when there is one part. */
  readonly concatReference: number
}

export interface PartCount {
  readonly encoding: 'gsm7' | 'ucs2'
  /** Septets or UTF-16 units of the whole text. */
  readonly units: number
  readonly parts: number
}

/** The part count decides, not the length: seams that may not cut a character can make 765 septets six parts. */
export const maxInternationalParts = 5

/** 140 octets of user data; a part of several gives six of them to the concatenation header. */
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

/** An empty text is one empty part. */
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

/** Domestic carriers take one part; whether it is short enough is the channel's limit, in CP949 octets. */
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
  // A code point above the BMP at the last unit means that its other half would open the next part.
  return text.codePointAt(end - 1)! > 0xffff ? end - 1 : end
}
