/** A proof as it is stored, however it was given: with an option, in a line of a file or in a request. Pure. */
import { isDay } from '../../contract/day.ts'
import { isShown } from '../../platform/shown-text.ts'
import type { Proof } from './sender.ts'

const maxReference = 200

/** Anything that is seen: fillers and joiners alone are not. */
const anySeen = /[^\s\u2800\p{Default_Ignorable_Code_Point}]/u

/** Throws a plain Error where its reference says nothing, or would be shown as something else, or its day does not exist. */
export function readProof(proof: Proof): Proof {
  const { issued } = proof
  if (issued !== null && !isDay(issued))
    throw new Error(`issued must be a day such as 2026-11-02, not '${issued}'`)
  const reference = proof.reference.trim()
  if (!anySeen.test(reference))
    throw new Error(
      'the reference of a proof must not be blank; name where it is kept, such as a document number',
    )
  if (proof.reference.length > maxReference)
    throw new Error(`the reference of a proof must be at most ${maxReference} characters`)
  // PostgreSQL has no NUL in a text, and others hide what follows them on a terminal.
  if (!isShown(reference))
    throw new Error('the reference of a proof must have no control characters; write it in plain text')
  return { ...proof, reference }
}
