/**
 * Texts whose number of parts is known without the code under test. Each part of a long message has 153
 * septets or 67 UCS-2 units, one less if a double character would be split. So a text of more than 153·(n-1)
 * and at most 152·n septets has n parts, wherever its two-septet characters are.
 */
import type { Random } from '../support/random.ts'
import { hangulOctets } from './cp949.ts'

export interface SmsText {
  readonly text: string
  readonly parts: number
  /** Expected text on the handset: composed Hangul and LF line ends. */
  readonly shown: string
  readonly alphabet: 'gsm7' | 'ucs2' | 'cp949'
}

const plain = Array.from(
  'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:;!?@£$¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ\n',
)
const doubled = Array.from('^{}\\[~]|€')
const asciiWords = ['your', 'code', 'is', 'parcel', 'arrives', 'today', '12:30', 'call', 'back', 'thanks!']
const hangul = Object.keys(hangulOctets)
const wide = Array.from(`${hangul.join('')}日本語Привет`)
const emoji = ['😀', '🚚', '👍']

function text(raw: string, parts: number, alphabet: SmsText['alphabet']): SmsText {
  return { text: raw, parts, shown: raw.normalize('NFC').replace(/\r\n?/g, '\n'), alphabet }
}

/** Creates a text of one part in the default alphabet of the carrier. */
export function domesticPlain(random: Random, mark: string): SmsText {
  let raw = mark
  while (raw.length < 70) raw += ` ${random.pick(asciiWords)}`
  return text(raw, 1, 'gsm7')
}

/** Creates a text of at most 90 CP949 bytes. A third are decomposed like on macOS, some have CRLF. */
export function domesticHangul(random: Random, mark: string): SmsText {
  const maxSyllables = Math.floor((90 - mark.length - 1) / 2)
  const syllables = random.pick([1, 10, maxSyllables])
  let raw = `${mark} `
  for (let count = 0; count < syllables; count++) raw += random.pick(hangul)
  if (syllables === 10) raw = raw.replace(' ', '\r\n')
  return text(random.below(3) === 0 ? raw.normalize('NFD') : raw, 1, 'cp949')
}

export function internationalGsm7(random: Random, mark: string, parts: number): SmsText {
  const min = parts === 1 ? mark.length : Math.max(161, 153 * (parts - 1) + 1)
  const septets = random.between(min, parts === 1 ? 160 : 152 * parts)
  return text(filled(random, mark, septets, plain, doubled), parts, 'gsm7')
}

export function internationalUcs2(random: Random, mark: string, parts: number): SmsText {
  const min = parts === 1 ? mark.length + 1 : Math.max(71, 67 * (parts - 1) + 1)
  const units = random.between(min, parts === 1 ? 70 : 66 * parts)
  // Contains at least one character outside the default alphabet.
  return text(filled(random, `${mark}한`, units, wide, emoji), parts, 'ucs2')
}

/** Creates a text of exactly five full parts, without two-septet characters. */
export function internationalFullest(random: Random, mark: string): SmsText {
  return random.below(2) === 0
    ? text(filled(random, mark, 765, plain, []), 5, 'gsm7')
    : text(filled(random, `${mark}한`, 335, wide, []), 5, 'ucs2')
}

/** Appends characters to `mark` until exactly `size`. One in eight is a double character. */
function filled(
  random: Random,
  mark: string,
  size: number,
  singles: readonly string[],
  doubles: readonly string[],
): string {
  let raw = mark
  let left = size - mark.length
  while (left > 0) {
    const double = left >= 2 && doubles.length > 0 && random.below(8) === 0
    raw += double ? random.pick(doubles) : random.pick(singles)
    left -= double ? 2 : 1
  }
  return raw
}
