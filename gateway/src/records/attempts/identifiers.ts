/** Carrier ids and recipients in the form in which attempts store them and receipts are matched to them. */
import { canonicalId } from '../../carriers/connectors/carrier-id.ts'
import { messageCipher } from '../../platform/encryption/message-cipher.ts'

/** Prefix of the id that the gateway assigns to a receipt without one. */
export const generatedIdPrefix = 'no-id:'

/**
 * Returns the id as it is stored, or null if there is none. Some carriers send an empty id or only white
 * space.
 */
export function toStoredId(id: string | null): string | null {
  return id === null ? null : canonicalId(id) || null
}

/** Longer ids are not numbers: UUIDs without hyphens and digests have 32 digits and more. */
const maxDigits = 20

/**
 * Returns the forms that a receipt's id can be stored in, the literal one first. Carriers write the same id
 * as hexadecimal in the response and as decimal in the receipt, or the reverse.
 */
export function candidateIds(id: string | null): string[] {
  const canonical = toStoredId(id)
  if (canonical === null) return []
  const candidates = [canonical]
  if (canonical.length <= maxDigits) {
    if (/^\d+$/.test(canonical)) candidates.push(BigInt(canonical).toString(16))
    if (/^[0-9a-f]+$/.test(canonical)) candidates.push(BigInt(`0x${canonical}`).toString(10))
  }
  return [...new Set(candidates)]
}

const tailDigits = 8

/** Returns the last eight digits of a number, which are the same in 010…, 8210… and +8210…. */
export function recipientTail(number: string): string {
  return number.replace(/\D/g, '').slice(-tailDigits)
}

/** Reports whether the last digits are known: carriers mask numbers. */
export function hasWholeTail(recipient: string): boolean {
  return recipient.startsWith(mark) || /\d{8}$/.test(recipient.replace(/[\s().-]/g, ''))
}

/** Marks a blind index; no number starts with it. */
const mark = '#'

/**
 * Returns the last digits of a recipient or, if messages are encrypted, their blind index. Returns a stored
 * value unchanged.
 */
export function toStoredRecipient(recipient: string): string {
  if (recipient.startsWith(mark)) return recipient
  const tail = recipientTail(recipient)
  return messageCipher.sealing && tail !== '' ? hashTail(tail) : tail
}

/** Returns a stored recipient and, if it is in plaintext and the gateway has an index key, its blind index. */
export function storedForms(stored: string): string[] {
  if (stored.startsWith(mark) || messageCipher.index === undefined) return [stored]
  return [stored, hashTail(stored)]
}

function hashTail(tail: string): string {
  return mark + messageCipher.index!.of(tail).toString('base64')
}

/**
 * Builds an SQL condition: one of the two is encrypted and the other is not, because encryption was switched
 * on or off in between.
 */
export const differsInForm = (left: string, right: string): string =>
  `${left} <> '' and ${right} <> '' and (left(${left}, 1) = '${mark}') <> (left(${right}, 1) = '${mark}')`
