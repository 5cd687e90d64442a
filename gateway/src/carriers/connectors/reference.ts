/**
 * Our reference of a submission: the key of its attempt as one string. A receipt that returns it identifies the attempt
 * without a lookup. Dispatch writes it, settle reads it.
 */
import { isMsgKey } from '../../contract/msg-key.ts'
import type { StepKey } from '../../jobs/step-key.ts'

export interface PartKey extends StepKey {
  readonly part: number
}

/** Length of a message key (32 characters) and three numbers of five digits. */
export const maxReferenceLength = 50

export function toReference({ msgKey, step, try: nth, part }: PartKey): string {
  return `${msgKey}-${step}-${nth}-${part}`
}

/** Parses a reference, ignoring case and surrounding space, which carriers change. Returns null if it is not ours. */
export function parseReference(text: string): PartKey | null {
  if (text.length > 2 * maxReferenceLength) return null
  const match = /^([0-9A-Z]{32})-(\d{1,5})-(\d{1,5})-(\d{1,5})$/.exec(text.trim().toUpperCase())
  if (match === null || !isMsgKey(match[1]!)) return null
  const [step, nth, part] = [Number(match[2]), Number(match[3]), Number(match[4])]
  // The columns have 16 bits.
  if (Math.max(step, nth, part) > 32_767) return null
  return { msgKey: match[1]!, step, try: nth, part }
}
