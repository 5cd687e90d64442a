/** The id of a submission at the carrier: at most 40 characters, the same in every repeat. */
import { createHash } from 'node:crypto'

const maxLength = 40

/** Returns our reference if it fits, as up to step 99 and attempt 99, otherwise a digest, which `carrierIdFor` records. */
export function toMaapMessageId(reference: string): string {
  if (reference.length <= maxLength) return reference
  return createHash('sha256').update(reference).digest('hex').slice(0, maxLength)
}
