/** The comparison of the ledger with the messages, as `postern ledger check` prints it. */
import type { Data } from '../client/types.ts'
import { table, type Result } from '../result.ts'

type Comparison = Data<'compareLedger'>

/** The command fails if messages are missing. */
export function showComparison(comparison: Comparison): Omit<Result, 'json'> {
  const { accounts, gaps, differences, atGate } = comparison
  const names = new Map(accounts.map(({ accountId, clientId }) => [accountId, clientId]))
  const nameOf = (accountId: number): string => names.get(accountId) ?? '?'
  const listedGap = gaps.reduce((sum, { gap }) => sum + Math.abs(gap), 0)
  const listedAtGate = atGate.gaps.reduce((sum, { missing }) => sum + missing, 0)
  return {
    lines: [
      ...table([
        ['account', 'accepted', 'final', 'in flight', 'gap', 'at gate'],
        ...accounts.map(({ clientId, ...counts }) => [clientId, ...toCells(counts)]),
        ['total', ...toCells(sumUp(comparison))],
      ]),
      ...gaps.map(
        ({ day, accountId, gap, accepted, final, inFlight }) =>
          `gap of ${gap}: ${nameOf(accountId)}, accepted on ${day}: ${accepted} counted, ${final} final, ${inFlight} in flight`,
      ),
      ...more(differences.count - gaps.length, differences.messages - listedGap, 'missing on other days'),
      ...atGate.gaps.map(
        ({ missing, accountId, minute, process, confirmed, recorded }) =>
          `${missing} lost at the gate: ${nameOf(accountId)}, accepted at ${minute} by process ${process}: ${confirmed} confirmed, ${recorded} recorded`,
      ),
      ...more(atGate.count - atGate.gaps.length, atGate.missing - listedAtGate, 'lost at the gate'),
    ],
    failed: differences.count > 0 || atGate.missing > 0,
  }
}

type Counts = Pick<Comparison['accounts'][number], 'accepted' | 'final' | 'inFlight' | 'gap' | 'atGate'>

function toCells({ accepted, final, inFlight, gap, atGate }: Counts): string[] {
  return [accepted, final, inFlight, gap, atGate].map(String)
}

/** Gaps of opposite sign do not cancel each other out in the total. */
function sumUp({ accounts, differences }: Comparison): Counts {
  const sum = (name: keyof Counts): number => accounts.reduce((total, account) => total + account[name], 0)
  return {
    accepted: sum('accepted'),
    final: sum('final'),
    inFlight: sum('inFlight'),
    gap: differences.messages,
    atGate: sum('atGate'),
  }
}

function more(gaps: number, messages: number, what: string): string[] {
  return gaps > 0 ? [`${messages} more ${what}, in ${gaps} gaps that are not listed`] : []
}
