/**
 * Carriers write one message id in several ways: hexadecimal in the answer and decimal in the receipt or the reverse,
 * upper or lower case, with or without leading zeros. Ids are stored in one canonical form and looked up by every form
 * that the receipt's id may stand for, the literal one first. Pure.
 */
import { canonicalId } from '../../connectors/carrier-id.ts'

/** The form in which an id is stored; null when there is none. Some carriers give an id of no or only white space. */
export function storedId(id: string | null): string | null {
  return id === null ? null : canonicalId(id) || null
}

// Longer ids are not numbers: UUIDs without hyphens and digests have 32 digits and more.
const maxNumber = 20

/** Forms that the id may have been stored in, most likely first. */
export function candidateIds(id: string | null): string[] {
  const canonical = storedId(id)
  if (canonical === null) return []
  const candidates = [canonical]
  if (canonical.length <= maxNumber) {
    if (/^\d+$/.test(canonical)) candidates.push(BigInt(canonical).toString(16))
    if (/^[0-9a-f]+$/.test(canonical)) candidates.push(BigInt(`0x${canonical}`).toString(10))
  }
  return [...new Set(candidates)]
}

/** The last eight digits of a number: the same whether it is written 010…, 8210… or +8210…. */
export function recipientTail(number: string): string {
  return number.replace(/\D/g, '').slice(-8)
}
