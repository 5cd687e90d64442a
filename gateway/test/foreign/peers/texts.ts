/** A text of each alphabet, encoded by third-party encoders, and a text of five parts. */
import iconv from 'iconv-lite'
import smpp from 'smpp'

export interface CodedText {
  readonly dataCoding: number
  readonly text: string
}

export const codedTexts = {
  GSM: { dataCoding: 0, text: 'Your code is 4711 @£$ [€5] {~}' },
  'Latin-1': { dataCoding: 3, text: 'Curaçao ï õ' },
  'UCS-2': { dataCoding: 8, text: '인증번호 4711 😀 漢' },
  'EUC-KR': { dataCoding: 14, text: '인증번호 4711 ①' },
} as const satisfies Readonly<Record<string, CodedText>>

const charsets: Readonly<Record<number, string>> = { 3: 'latin1', 8: 'utf16-be', 14: 'euc-kr' }

export function encode({ dataCoding, text }: CodedText): Buffer {
  const charset = charsets[dataCoding]
  return charset === undefined ? smpp.encodings.ASCII.encode(text) : iconv.encode(text, charset)
}

/** Five parts both at 153 characters and at the 134 octets that some libraries cut. */
export const longText = 'All the parts of a long text arrive with one reference. '.repeat(12).slice(0, 640)

/** Splits `longText`, with 8-bit references in the user data headers. */
export function cutLongText(reference: number): Buffer[] {
  const cuts = longText.match(/.{1,153}/gs)!
  return cuts.map((cut, index) =>
    Buffer.concat([Buffer.of(5, 0, 3, reference & 0xff, cuts.length, index + 1), Buffer.from(cut)]),
  )
}
