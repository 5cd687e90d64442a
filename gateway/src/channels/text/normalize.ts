/**
 * The form in which every text is counted, stored and sent: NFC, with LF line ends.
 *
 * macOS clients send decomposed Hangul, which CP949 cannot encode, and CRLF would be billed as two octets. No
 * character is replaced by a similar one: that is up to smart encoding.
 */
const combiningStart = 0x300
const hangulFirst = 0xac00
const hangulLast = 0xd7a3
const carriageReturn = 0x0d

export function normalizeText(text: string): string {
  if (isNormal(text)) return text
  const composed = text.normalize('NFC')
  return composed.includes('\r') ? composed.replace(/\r\n?/g, '\n') : composed
}

/**
 * Fast check without a call to ICU: below U+0300 there is no combining mark and every character is its own
 * NFC, and a Hangul syllable changes only before a jamo. False means unknown.
 */
function isNormal(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < combiningStart ? unit === carriageReturn : unit < hangulFirst || unit > hangulLast)
      return false
  }
  return true
}
