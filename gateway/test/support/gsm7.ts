/**
 * Decodes GSM 03.38 septets, one per octet. Has its own table, so that tests can check the encoder of the
 * gateway.
 */
const escape = 0x1b
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const extension: Readonly<Record<number, string>> = {
  ...{ 0x0a: '\f', 0x14: '^', 0x28: '{', 0x29: '}', 0x2f: '\\' },
  ...{ 0x3c: '[', 0x3d: '~', 0x3e: ']', 0x40: '|', 0x65: '€' },
}

/** Throws on octets that the standard does not define. */
export function decodeGsm7(octets: Uint8Array): string {
  let text = ''
  for (let index = 0; index < octets.length; index++) {
    const octet = octets[index]!
    // A trailing escape looks up itself, which is undefined and throws.
    const character = octet === escape ? extension[octets[++index] ?? escape] : basic[octet]
    if (character === undefined) throw new Error(`octet ${index} is not a character of GSM 03.38`)
    text += character
  }
  return text
}
