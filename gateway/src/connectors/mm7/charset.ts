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

/** Null when the charset has no such character. */
function encodeCharacter(character: string, charset: CharsetName): Buffer | null {
  if (findUnencodable(character) !== null) return null
  const octets = encodeCp949(character)
  if (charset === 'cp949' || octets.length === 1) return octets
  return octets[0]! >= ksxFirst && octets[1]! >= ksxFirst ? octets : null
}

/** The first character that a plain text cannot have, or null. */
export function findOutside(text: string, charset: CharsetName): string | null {
  if (charset === 'utf-8') return null
  for (const character of text) {
    if (character > '\u007f' && encodeCharacter(character, charset) === null) return character
  }
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
    character <= '\u007f' || encodeCharacter(character, charset) !== null
      ? character
      : `&#${character.codePointAt(0)};`,
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
