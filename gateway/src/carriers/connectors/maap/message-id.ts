/** The id of a submission at the carrier: at most 40 characters, the same in every repeat. */
import { createHash } from 'node:crypto'

const maxLength = 40

/** Returns the reference if it fits, which it does up to step 99 and try 99, and otherwise a digest of it. */
export function toMaapMessageId(reference: string): string {
  if (reference.length <= maxLength) return reference
  return createHash('sha256').update(reference).digest('hex').slice(0, maxLength)
}
