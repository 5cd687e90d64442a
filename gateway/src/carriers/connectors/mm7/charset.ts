/**
 * Encodes texts in the charset agreed with the carrier. EUC-KR is exactly KS X 1001: the additional syllables of CP949 under this
 * label make Java show wrong characters and libxml2 reject the document. In markup they are written as numeric references; a
 * plain text that contains one is not sent.
 */
import { encodeCp949, findUnencodable } from '../../../channels/text/cp949.ts'

export const charsetNames = ['euc-kr', 'cp949', 'utf-8'] as const
export type CharsetName = (typeof charsetNames)[number]

interface Labels {
  readonly mime: string
  readonly xml: string
}

/** Java recognizes CP949 only by the first name, libxml2 only by the second. */
export const labels: Readonly<Record<CharsetName, Labels>> = {
  'euc-kr': { mime: 'euc-kr', xml: 'euc-kr' },
  cp949: { mime: 'ms949', xml: 'cp949' },
  'utf-8': { mime: 'utf-8', xml: 'utf-8' },
}

/** Minimum value of both octets of a character of KS X 1001. */
const ksxFirst = 0xa1

/** By UTF-16 unit: 1 for ASCII and the characters of KS X 1001. Created on first use, because it takes time. */
let ksxUnits: Uint8Array | undefined

function listKsx(): Uint8Array {
  const units = new Uint8Array(0x10000).fill(1, 0, 0x80)
  const wide: number[] = []
  for (let unit = 0x80; unit < units.length; unit++)
    if (findUnencodable(String.fromCharCode(unit)) === null) wide.push(unit)
  // Encode all in one call. Beyond ASCII, CP949 has two octets for every character.
  const octets = encodeCp949(wide.map((unit) => String.fromCharCode(unit)).join(''))
  for (const [index, unit] of wide.entries())
    if (octets[2 * index]! >= ksxFirst && octets[2 * index + 1]! >= ksxFirst) units[unit] = 1
  return units
}

/** Returns the first character that a plain text in this charset cannot contain, or null. */
export function findUnsupportedCharacter(text: string, charset: CharsetName): string | null {
  if (charset === 'utf-8') return null
  if (charset === 'cp949') return findUnencodable(text)?.character ?? null
  const units = (ksxUnits ??= listKsx())
  for (let index = 0; index < text.length; index++)
    if (units[text.charCodeAt(index)] === 0) return String.fromCodePoint(text.codePointAt(index)!)
  return null
}

/** Requires a text in which `findUnsupportedCharacter` finds nothing. */
export function encodeCharset(text: string, charset: CharsetName): Buffer {
  return charset === 'utf-8' ? Buffer.from(text) : encodeCp949(text)
}

/** Expects XML or HTML that is already escaped. */
export function encodeMarkup(markup: string, charset: CharsetName): Buffer {
  if (findUnsupportedCharacter(markup, charset) === null) return encodeCharset(markup, charset)
  const written = Array.from(markup, (character) =>
    findUnsupportedCharacter(character, charset) === null ? character : `&#${character.codePointAt(0)};`,
  )
  return encodeCharset(written.join(''), charset)
}

/** Escapes element content and attributes in double quotes. Characters that XML excludes become spaces. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ' ')
    .replace(/[&<>"]/g, (character) => entities[character]!)
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
