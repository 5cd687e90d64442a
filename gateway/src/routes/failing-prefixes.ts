/**
 * Finds the beginnings of numbers to which nearly everything fails, while other numbers are served: a carrier that refuses a country or a
 * range of numbers. A beginning has at most six characters, so that it names no person. Pure.
 */

export interface SentNumber {
  readonly number: string
  /** `open`: the carrier has not said yet. */
  readonly result: 'failed' | 'delivered' | 'open'
}

export interface FailingPrefix {
  /** Empty: whatever the number. */
  readonly prefix: string
  readonly failed: number
  /** All that was sent to it. */
  readonly sent: number
}

export const maxPrefixLength = 6
/** Fewer may be by chance. */
export const minFailed = 10
const minFailedShare = 0.9
/** Of what was sent: failures are often known sooner than deliveries. */
const minKnownShare = 0.5
const maxPrefixes = 3

/** Those with the most failures first. */
export function findFailingPrefixes(sent: readonly SentNumber[]): FailingPrefix[] {
  return descend(sent, 0)
    .sort((left, right) => right.failed - left.failed)
    .slice(0, maxPrefixes)
}

/** `sent`: numbers whose first `length` characters are the same. */
function descend(sent: readonly SentNumber[], length: number): FailingPrefix[] {
  const failed = countOf(sent, 'failed')
  if (failed < minFailed) return []
  const known = failed + countOf(sent, 'delivered')
  if (failed >= known * minFailedShare && failed >= sent.length * minKnownShare)
    return [{ prefix: length === 0 ? '' : commonStart(sent, length), failed, sent: sent.length }]
  if (length === maxPrefixLength) return []
  const next = Map.groupBy(sent, ({ number }) => number.slice(0, length + 1))
  return [...next.values()].flatMap((group) => descend(group, length + 1))
}

function countOf(sent: readonly SentNumber[], result: SentNumber['result']): number {
  return sent.reduce((count, one) => count + (one.result === result ? 1 : 0), 0)
}

/** `+8490` says more than `+8`, where all that was sent to `+8` went to `+8490`. */
function commonStart(sent: readonly SentNumber[], length: number): string {
  const first = sent[0]!.number
  let common = Math.min(maxPrefixLength, first.length)
  for (const { number } of sent)
    while (common > length && !number.startsWith(first.slice(0, common))) common--
  return first.slice(0, common)
}
