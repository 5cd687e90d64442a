/**
 * The recipient of an attempt, and of the receipt that is matched to it, as it is stored: the last eight digits, or, where
 * messages are encrypted, their blind index. Two values of the same form are equal when the digits are.
 */
import { messageCipher } from '../../platform/encryption/message-cipher.ts'
import { recipientTail } from './candidate-ids.ts'

/** No number begins with it. */
const mark = '#'

export function storedRecipient(recipient: string): string {
  if (recipient.startsWith(mark)) return recipient
  const tail = recipientTail(recipient)
  return messageCipher.sealing && tail !== '' ? indexOf(tail) : tail
}

/** A stored recipient and, when it is in clear, what it is where messages are encrypted. */
export function formsOfStored(stored: string): string[] {
  if (stored.startsWith(mark) || messageCipher.index === undefined) return [stored]
  return [stored, indexOf(stored)]
}

function indexOf(tail: string): string {
  return mark + messageCipher.index!.of(tail).toString('base64')
}

/**
 * SQL: one of the two is encrypted and the other is not, because messages are encrypted only since the submission, or
 * no longer. Then they cannot be compared.
 */
export const isOfOtherForm = (left: string, right: string): string =>
  `${left} <> '' and ${right} <> '' and (left(${left}, 1) = '${mark}') <> (left(${right}, 1) = '${mark}')`
