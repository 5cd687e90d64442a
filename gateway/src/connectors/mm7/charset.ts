/**
 * Texts as octets of the charset that is agreed with the carrier. EUC-KR is KS X 1001 and nothing more: the further
 * syllables of CP949 under this label make Java show other characters and libxml2 refuse the document. In markup they are
 * written as numeric references; a plain text that has one is not sent. Pure.
 */
import { encodeCp949, findUnencodable } from '../../channels/text/cp949.ts'

export const charsetNames = ['euc-kr', 'cp949', 'utf-8'] as const
export type CharsetName = (typeof charsetNames)[number]

interface Labels {
  readonly mime: string
  readonly xml: string
}

/** Java reads CP949 by the first name only, libxml2 by the second. */
export const labels: Readonly<Record<CharsetName, Labels>> = {
  'euc-kr': { mime: 'euc-kr', xml: 'euc-kr' },
  cp949: { mime: 'ms949', xml: 'cp949' },
  'utf-8': { mime: 'utf-8', xml: 'utf-8' },
}

/** The first octet of both halves of a character of KS X 1001. */
const ksxFirst = 0xa1

/** By UTF-16 unit: 1 for ASCII and the characters of KS X 1001. Made when it is first used, in 20 ms. */
let ksxUnits: Uint8Array | undefined

function listKsx(): Uint8Array {
  const units = new Uint8Array(0x10000).fill(1, 0, 0x80)
  const wide: number[] = []
  for (let unit = 0x80; unit < units.length; unit++)
    if (findUnencodable(String.fromCharCode(unit)) === null) wide.push(unit)
  // One call for all of them. Beyond ASCII, CP949 has two octets for every character.
  const octets = encodeCp949(wide.map((unit) => String.fromCharCode(unit)).join(''))
  for (const [index, unit] of wide.entries())
    if (octets[2 * index]! >= ksxFirst && octets[2 * index + 1]! >= ksxFirst) units[unit] = 1
  return units
}

/** The first character that a plain text cannot have, or null. */
export function findOutside(text: string, charset: CharsetName): string | null {
  if (charset === 'utf-8') return null
  if (charset === 'cp949') return findUnencodable(text)?.character ?? null
  const units = (ksxUnits ??= listKsx())
  for (let index = 0; index < text.length; index++)
    if (units[text.charCodeAt(index)] === 0) return String.fromCodePoint(text.codePointAt(index)!)
  return null
}

/** `text` must be without characters that `findOutside` finds. */
export function encodeText(text: string, charset: CharsetName): Buffer {
  return charset === 'utf-8' ? Buffer.from(text) : encodeCp949(text)
}

/** XML or HTML, already escaped. */
export function encodeMarkup(markup: string, charset: CharsetName): Buffer {
  if (findOutside(markup, charset) === null) return encodeText(markup, charset)
  const written = Array.from(markup, (character) =>
    findOutside(character, charset) === null ? character : `&#${character.codePointAt(0)};`,
  )
  return encodeText(written.join(''), charset)
}

/** For the content of an element and for an attribute in double quotes. Characters that XML excludes become spaces. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ' ')
    .replace(/[&<>"]/g, (character) => entities[character]!)
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
