/**
 * Canonical form of the message id that a carrier assigns. Ids of responses and receipts are stored and looked up in this
 * form, so that they match regardless of case, surrounding space and leading zeros. At most `maxCarrierIdLength`
 * characters, and none that PostgreSQL refuses.
 */
import { createHash } from 'node:crypto'

/**
 * The SMPP specification allows 64 characters, and some carriers exceed it. Ids are indexed, and PostgreSQL refuses an
 * index entry of more than about 2,700 bytes.
 */
export const maxCarrierIdLength = 128

/** Replaces an id longer than `maxCarrierIdLength` by its digest, which is the same for the response and the receipt. */
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
