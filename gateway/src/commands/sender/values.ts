/** Values of `postern sender` options. */
import type { Option } from 'commander'
import { readDay } from '../../acts/days.ts'
import { readProof as readStored } from '../../trust/senders/proofs.ts'
import type { Proof, ProofKind } from '../../trust/senders/sender.ts'
import { UsageError } from '../errors.ts'
import { checked } from '../options.ts'

export function validUntil(): Option {
  return checked(
    '--valid-until <day>',
    'the last day on which it may send, such as 2027-10-31; "open" is without end',
    (text, option) => (text === 'open' ? text : readDay(text, option)),
  )
}

export interface ProofOptions {
  readonly proofKind?: ProofKind
  readonly proof?: string
  readonly issued?: string
}

export function readProof({ proofKind, proof, issued }: ProofOptions): Proof | null {
  if (proofKind === undefined && proof === undefined && issued === undefined) return null
  if (proofKind === undefined || proof === undefined)
    throw new UsageError('a proof needs both its kind and its reference')
  try {
    return readStored({ kind: proofKind, reference: proof, issued: issued ?? null })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
