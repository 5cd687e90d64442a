/**
 * Smart encoding: characters that word processors and websites write, that CP949 lacks and that have a plain equivalent.
 * The table is published in docs/reference/smart-encoding.md; any other character that CP949 lacks is refused.
 */
import { tryCountCp949Bytes } from './cp949.ts'
import { normalizeText } from './normalize.ts'

export interface PlainEquivalent {
  readonly name: string
  readonly characters: string
  readonly equivalent: string
}

export const plainEquivalents: readonly PlainEquivalent[] = [
  {
    name: 'spaces, such as the no-break space',
    characters: '\u00A0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F',
    equivalent: ' ',
  },
  { name: 'invisible characters', characters: '\u200B\u2060\uFEFF', equivalent: '' },
  { name: 'line and paragraph separators', characters: '\u2028\u2029', equivalent: '\n' },
  {
    name: 'hyphens, dashes, minus',
    characters: '\u2010\u2011\u2012\u2013\u2014\u2043\u2212\uFE58\uFE63',
    equivalent: '-',
  },
  { name: 'single quotation marks', characters: '\u201A\u201B\u2039\u203A\u02BC\u02B9', equivalent: "'" },
  { name: 'double quotation marks', characters: '\u201E\u201F\u00AB\u00BB\u02BA', equivalent: '"' },
  {
    name: 'bullets and middle dots',
    characters: '\u2022\u2023\u2027\u2219\u22C5\u25AA\u25E6\u30FB',
    equivalent: '·',
  },
  { name: 'copyright', characters: '\u00A9', equivalent: '(c)' },
  { name: 'won', characters: '\u20A9', equivalent: '￦' },
  { name: 'yen', characters: '\u00A5', equivalent: '￥' },
  { name: 'pound', characters: '\u00A3', equivalent: '￡' },
  { name: 'cent', characters: '\u00A2', equivalent: '￠' },
  { name: 'micro', characters: '\u00B5', equivalent: 'μ' },
  { name: 'slashes', characters: '\u2044\u2215', equivalent: '/' },
  { name: 'vertical bars', characters: '\u00A6\u2758', equivalent: '|' },
  { name: 'tildes', characters: '\u02DC\u301C', equivalent: '~' },
  { name: 'asterisk', characters: '\u2217', equivalent: '*' },
  { name: 'double exclamation mark', characters: '\u203C', equivalent: '!!' },
  { name: 'double question mark', characters: '\u2047', equivalent: '??' },
  { name: 'ligature fi', characters: '\uFB01', equivalent: 'fi' },
  { name: 'ligature fl', characters: '\uFB02', equivalent: 'fl' },
]

const equivalents = new Map(
  plainEquivalents.flatMap(({ characters, equivalent }) =>
    Array.from(characters, (character) => [character, equivalent]),
  ),
)

/** Replaces every character of the table in the normalized text. */
export function toPlainCharacters(text: string): string {
  return Array.from(normalizeText(text), (character) => equivalents.get(character) ?? character).join('')
}

/**
 * Returns the bytes of the text on the wire, with plain equivalents only if CP949 cannot encode it otherwise. Returns
 * null if it cannot be sent even so.
 */
export function countPlainBytes(text: string): number | null {
  return tryCountCp949Bytes(normalizeText(text)) ?? tryCountCp949Bytes(toPlainCharacters(text))
}
