/** Values of `postern sender` options. */
import type { Option } from 'commander'
import type { ProofKind, Proof, SenderKind } from '../../trust/senders/sender.ts'
import { UsageError } from '../errors.ts'
import { checked, readDay } from '../options.ts'

export function validUntil(): Option {
  return checked(
    '--valid-until <day>',
    'the last day on which it may send, such as 2027-10-31; "open" is without end',
    (text, option) => (text === 'open' ? text : readDay(text, option)),
  )
}

/** Digits as sends give them: people write numbers with hyphens and spaces. */
export function readValue(kind: SenderKind, value: string): string {
  return kind === 'number' ? value.replaceAll(/[\s()-]/g, '') : value
}

export interface ProofOptions {
  readonly proofKind?: ProofKind
  readonly proof?: string
  readonly issued?: string
}

export function readProof({ proofKind, proof, issued }: ProofOptions): Proof | null {
  if (proofKind === undefined && proof === undefined && issued === undefined) return null
  if (proofKind === undefined || proof === undefined || proof.trim() === '')
    throw new UsageError('a proof needs both its kind and its reference')
  if (proof.length > 200) throw new UsageError('the reference of a proof must be at most 200 characters')
  return { kind: proofKind, reference: proof.trim(), issued: issued ?? null }
}

/** The end of the day in Korea. */
export function endOfDay(text: string): Date {
  return new Date(Date.parse(`${text}T00:00:00+09:00`) + 86_400_000)
}
