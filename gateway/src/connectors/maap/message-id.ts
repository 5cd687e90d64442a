/** The id of a submission at the carrier: at most 40 characters, the same in every repeat. Pure. */
import { createHash } from 'node:crypto'

const maxLength = 40

/** Our reference where it fits, as it does up to step 99 and try 99; otherwise a digest, which `carrierIdFor` records. */
export function messageIdOf(reference: string): string {
  if (reference.length <= maxLength) return reference
  return createHash('sha256').update(reference).digest('hex').slice(0, maxLength)
}
