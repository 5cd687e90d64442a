/**
 * Decodes message text for display: data_coding 0 (GSM 03.38, one octet per character) and 8 (UTF-16BE).
 * Returns undefined for other codings and for invalid octets.
 */

const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const ESCAPE = 0x1b
const EXTENSION = new Map<number, string>([
  [0x0a, '\f'],
  [0x14, '^'],
  [0x28, '{'],
  [0x29, '}'],
  [0x2f, '\\'],
  [0x3c, '['],
  [0x3d, '~'],
  [0x3e, ']'],
  [0x40, '|'],
  [0x65, '€'],
])

function decodeGsm(octets: Buffer): string | undefined {
  let text = ''
  for (let at = 0; at < octets.length; at++) {
    const octet = octets[at]!
    if (octet > 0x7f) return undefined
    // Unknown pairs become a space, as on a handset.
    if (octet === ESCAPE) text += EXTENSION.get(octets[++at] ?? -1) ?? ' '
    else text += BASIC[octet]!
  }
  return text
}

export function decodeText(dataCoding: number, octets: Buffer): string | undefined {
  if (dataCoding === 0) return decodeGsm(octets)
  if (dataCoding === 8 && octets.length % 2 === 0) return Buffer.from(octets).swap16().toString('utf16le')
  return undefined
}
