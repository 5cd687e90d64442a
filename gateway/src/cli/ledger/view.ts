/** Formats the output of `postern ledger check`. */
import type { ResponseData } from '../client/types.ts'
import { table, type Result } from '../result.ts'

type Comparison = ResponseData<'compareLedger'>

/** The command fails if counts differ or messages were never recorded. */
export function showComparison(comparison: Comparison): Omit<Result, 'json'> {
  const { accounts, gaps, differences, unrecorded, batches } = comparison
  const names = new Map(accounts.map(({ accountId, clientId }) => [accountId, clientId]))
  const nameOf = (accountId: number): string => names.get(accountId) ?? '?'
  const listedGap = gaps.reduce((sum, { gap }) => sum + Math.abs(gap), 0)
  const listedUnrecorded = unrecorded.gaps.reduce((sum, { missing }) => sum + missing, 0)
  return {
    lines: [
      ...table([
        ['account', 'accepted', 'final', 'in flight', 'gap', 'unrecorded'],
        ...accounts.map(({ clientId, ...counts }) => [clientId, ...toCells(counts)]),
        ['total', ...toCells(computeTotals(comparison))],
      ]),
      ...gaps.map(
        ({ day, accountId, gap, accepted, final, inFlight }) =>
          `gap of ${gap}: ${nameOf(accountId)}, accepted on ${day}: ${accepted} counted, ${final} final, ${inFlight} in flight`,
      ),
      ...describeUnlisted(
        differences.count - gaps.length,
        differences.messages - listedGap,
        'missing or surplus',
      ),
      ...unrecorded.gaps.map(
        ({ missing, accountId, minute, process, confirmed, recorded }) =>
          `${missing} never recorded: ${nameOf(accountId)}, accepted at ${minute} by process ${process}: ${confirmed} confirmed, ${recorded} recorded`,
      ),
      ...describeUnlisted(
        unrecorded.count - unrecorded.gaps.length,
        unrecorded.missing - listedUnrecorded,
        'never recorded',
      ),
      ...batches.map(
        ({ batchId, accountId, lines, countedLines, messages, open, closed }) =>
          `batch ${batchId}: ${nameOf(accountId)}: ${countedLines} of ${lines} lines decided; ${messages} messages, ${open} open, ${closed} closed`,
      ),
    ],
    failed: differences.count > 0 || unrecorded.missing > 0 || batches.length > 0,
  }
}

type Counts = Pick<Comparison['accounts'][number], 'accepted' | 'final' | 'inFlight' | 'gap' | 'unrecorded'>

function toCells({ accepted, final, inFlight, gap, unrecorded }: Counts): string[] {
  return [accepted, final, inFlight, gap, unrecorded].map(String)
}

/** Gaps of opposite sign do not cancel each other out in the total. */
function computeTotals({ accounts, differences }: Comparison): Counts {
  const sum = (name: keyof Counts): number => accounts.reduce((total, account) => total + account[name], 0)
  return {
    accepted: sum('accepted'),
    final: sum('final'),
    inFlight: sum('inFlight'),
    gap: differences.messages,
    unrecorded: sum('unrecorded'),
  }
}

function describeUnlisted(gaps: number, messages: number, kind: string): string[] {
  return gaps > 0 ? [`${messages} more ${kind}, in ${gaps} gaps that are not listed`] : []
}
