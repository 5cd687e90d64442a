/**
 * Finds prefixes of numbers to which nearly all messages fail, for example because a carrier refuses a country or a number
 * range. A prefix has at most six characters, so that it identifies no person.
 */

export interface SentNumber {
  readonly number: string
  /** `open`: the carrier has not reported a result yet. */
  readonly result: 'failed' | 'delivered' | 'open'
}

export interface FailingPrefix {
  /** Empty if all numbers fail. */
  readonly prefix: string
  readonly failed: number
  /** Number of messages sent to the prefix. */
  readonly sent: number
}

export const maxPrefixLength = 6
/** Fewer failures can be chance. */
export const minFailed = 10
/** Share of the messages with a known result. */
const minFailedOfKnown = 0.9
/** Share of all messages: failures are often known sooner than deliveries. */
const minFailedOfSent = 0.5
const maxPrefixes = 3

/** Returns at most `maxPrefixes` prefixes: those with the most failures, in this order. */
export function findFailingPrefixes(sent: readonly SentNumber[]): FailingPrefix[] {
  return descend(sent, 0)
    .sort((left, right) => right.failed - left.failed)
    .slice(0, maxPrefixes)
}

/** The first `length` characters of all numbers in `sent` are the same. */
function descend(sent: readonly SentNumber[], length: number): FailingPrefix[] {
  const failed = countOf(sent, 'failed')
  if (failed < minFailed) return []
  const knownResults = failed + countOf(sent, 'delivered')
  if (failed >= knownResults * minFailedOfKnown && failed >= sent.length * minFailedOfSent)
    return [{ prefix: length === 0 ? '' : commonStart(sent, length), failed, sent: sent.length }]
  if (length === maxPrefixLength) return []
  const next = Map.groupBy(sent, ({ number }) => number.slice(0, length + 1))
  return [...next.values()].flatMap((group) => descend(group, length + 1))
}

function countOf(sent: readonly SentNumber[], result: SentNumber['result']): number {
  return sent.filter((message) => message.result === result).length
}

/** Returns the longest common prefix, up to the maximum: `+8490` is more specific than `+8`. */
function commonStart(sent: readonly SentNumber[], length: number): string {
  const first = sent[0]!.number
  let common = Math.min(maxPrefixLength, first.length)
  for (const { number } of sent)
    while (common > length && !number.startsWith(first.slice(0, common))) common--
  return first.slice(0, common)
}
