/**
 * Encodes and decodes texts in the alphabets of SMPP. Encoding is strict: it throws RangeError for a character that the
 * alphabet lacks. Decoding never fails, because a partly readable reply is better than none.
 */
import iconv from 'iconv-lite'
import { encodeCp949 } from '../../channels/text/cp949.ts'
import { decodeGsm7, encodeGsm7 } from '../../channels/text/gsm7.ts'
import { fillBits, packSeptets, unpackSeptets } from './septets.ts'

/** Possible meanings of data_coding 0: each message centre has its own default alphabet. */
export const defaultAlphabets = ['gsm7', 'gsm7-packed', 'latin1', 'ascii'] as const
export type DefaultAlphabet = (typeof defaultAlphabets)[number]
export type Alphabet = DefaultAlphabet | 'ucs2' | 'cp949'

/** `headerBytes` is the size of the header before the text, which determines where packed septets begin. */
export function encodeText(text: string, alphabet: Alphabet, headerBytes = 0): Buffer {
  switch (alphabet) {
    case 'gsm7':
      return encodeGsm7(text)
    case 'gsm7-packed':
      return packSeptets(encodeGsm7(text), fillBits(headerBytes))
    case 'latin1':
      return encodeOctets(text, 0xff)
    case 'ascii':
      return encodeOctets(text, 0x7f)
    case 'ucs2':
      return Buffer.from(text, 'utf16le').swap16()
    case 'cp949':
      return encodeCp949(text)
  }
}

export function decodeText(octets: Uint8Array, alphabet: Alphabet, headerBytes = 0): string {
  switch (alphabet) {
    case 'gsm7':
      return decodeGsm7(octets)
    case 'gsm7-packed':
      return decodeGsm7(unpackSeptets(octets, fillBits(headerBytes)))
    case 'latin1':
    case 'ascii':
      return Buffer.from(octets).toString('latin1')
    case 'ucs2':
      return decodeUcs2(octets)
    case 'cp949':
      return iconv.decode(Buffer.from(octets), 'cp949')
  }
}

/** The values of data_coding by alphabet. */
export interface DataCodings {
  readonly gsm7: number
  readonly ucs2: number
  readonly cp949: number
  readonly latin1?: number
}

/** Returns null for data that is not text or has an unsupported alphabet. */
export function selectAlphabet(
  dataCoding: number,
  options: { readonly dataCoding: DataCodings; readonly defaultAlphabet: DefaultAlphabet },
): Alphabet | null {
  const { gsm7, ucs2, cp949, latin1 } = options.dataCoding
  if (dataCoding === ucs2) return 'ucs2'
  if (dataCoding === cp949) return 'cp949'
  if (dataCoding === latin1) return 'latin1'
  if (dataCoding === gsm7) return options.defaultAlphabet
  return selectStandardAlphabet(dataCoding, options.defaultAlphabet)
}

/** Applies the standard codings, for a peer whose incoming texts use other codings than those that it accepts. */
function selectStandardAlphabet(dataCoding: number, alphabet: DefaultAlphabet): Alphabet | null {
  switch (dataCoding) {
    case 0x00:
      return alphabet
    case 0x01:
      return 'ascii'
    case 0x03:
      return 'latin1'
    case 0x08:
      return 'ucs2'
    case 0x0e:
      return 'cp949'
  }
  // The GSM data coding scheme: general (0x00 to 0x3F), or with a message class (0xF0 to 0xFF).
  if (dataCoding >= 0xf0) return (dataCoding & 0x04) === 0 ? alphabet : null
  if (dataCoding < 0x10 || dataCoding > 0x3f) return null
  const scheme = dataCoding & 0x0c
  return scheme === 0 ? alphabet : scheme === 0x08 ? 'ucs2' : null
}

function encodeOctets(text: string, last: number): Buffer {
  for (let index = 0; index < text.length; index++)
    if (text.charCodeAt(index) > last) throw new RangeError('a character is not in the alphabet')
  return Buffer.from(text, 'latin1')
}

/** Keeps half of a surrogate pair: phones split long texts there, and the next part has the other half. */
function decodeUcs2(octets: Uint8Array): string {
  const pairs = Buffer.from(octets.subarray(0, octets.length & ~1))
  return pairs.swap16().toString('utf16le')
}
