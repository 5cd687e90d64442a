/**
 * The canonical form of the message id that a carrier assigns. Answers and receipts are both stored and looked up by it,
 * so that the same id always matches: without regard to case, surrounding space and leading zeros. It has at most
 * `maxCarrierIdLength` characters and none that PostgreSQL refuses. Pure.
 */
import { createHash } from 'node:crypto'

/**
 * The specification of SMPP allows 64 characters, and some carriers exceed it. Ids are indexed, and PostgreSQL refuses an
 * index entry of more than about 2,700 bytes.
 */
export const maxCarrierIdLength = 128

/** A longer id is replaced by its digest, which is the same in the answer and in the receipt. */
export function canonicalId(id: string): string {
  const printable = id.includes('\0') ? id.replaceAll('\0', ' ') : id
  const canonical = printable
    .toWellFormed()
    .trim()
    .toLowerCase()
    .replace(/^[0\s]+(?=\S)/, '')
  if (canonical.length <= maxCarrierIdLength) return canonical
  return `sha256:${createHash('sha256').update(canonical).digest('hex')}`
}
