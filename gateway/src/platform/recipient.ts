/**
 * Returns the same digits for every form of a number: 010-1234-5678, 821012345678 and +82 10 1234 5678 are 01012345678.
 * A number of another country keeps its + and its country code.
 */
export function normalizeRecipient(recipient: string): string {
  const number = recipient.replace(/[\s().-]/g, '')
  const national = /^(?:\+820?|82(?=10\d{8}$))(.*)$/.exec(number)?.[1]
  if (national === undefined) return number
  // Representative numbers such as 1588-1588 are dialled without a 0.
  return /^1[4-9]\d{6}$/.test(national) ? national : `0${national}`
}
