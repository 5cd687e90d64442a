/** The ledger as `postern ledger` prints it, over either way. Pure. */
import { sumGaps, type Differences } from '../../acts/ledger.ts'
import type { LedgerGap } from '../../records/ledger/check.ts'
import type { GateGap, GateGaps } from '../../records/ledger/gate.ts'
import type { LedgerRow } from '../../records/ledger/queries.ts'
import { timeText, type Result } from '../result.ts'

/** Confirmed and never recorded. */
export interface Gate extends Omit<GateGaps, 'gaps'> {
  readonly gaps: readonly (Omit<GateGap, 'minute'> & { readonly minute: Date | string })[]
}

const noGate: Gate = { missing: 0, count: 0, gaps: [] }

export interface Compared {
  readonly rows: readonly LedgerRow[]
  readonly gaps: readonly LedgerGap[]
  readonly gate: Gate
  /** Of all gaps, where not all are listed. */
  readonly differences?: Differences
}

export function acknowledgedResult({ rows, gaps, gate, differences }: Compared, acknowledged: Gate): Result {
  const result = ledgerResult(rows, gaps, gate, differences)
  const clientIds = clientIdsOf(rows)
  return {
    ...result,
    json: { ...result.json, acknowledged: acknowledged.gaps, acknowledgedMessages: acknowledged.missing },
    lines: [...result.lines, ...gateLines(acknowledged, clientIds).map((line) => `acknowledged: ${line}`)],
  }
}

export function ledgerResult(
  rows: readonly LedgerRow[],
  gaps: readonly LedgerGap[],
  gate: Gate = noGate,
  differences: Differences = sumGaps(gaps),
): Result {
  const total = sumUp(rows, differences)
  const listed = sumGaps(gaps)
  const clientIds = clientIdsOf(rows)
  const titles = ['accepted', 'final', 'in flight', 'gap', 'at gate']
  return {
    json: { accounts: rows, total, gaps, gate: gate.gaps },
    lines: [
      `${'account'.padEnd(24)}${titles.map((title) => title.padStart(12)).join('')}`,
      ...[...rows, total].map((row) => {
        const numbers = [row.accepted, row.final, row.inFlight, row.gap, row.atGate]
        return `${row.clientId.padEnd(24)}${numbers.map((value) => String(value).padStart(12)).join('')}`
      }),
      ...gaps.map(
        ({ day, accountId, accepted, final, inFlight, gap }) =>
          `gap of ${gap}: ${clientIds.get(accountId) ?? '?'}, accepted on ${day}: ${accepted} counted, ${final} final, ${inFlight} in flight`,
      ),
      ...(differences.count > listed.count
        ? [
            `gap of ${differences.messages - listed.messages} more, on ${differences.count - listed.count} days of accounts that are not listed`,
          ]
        : []),
      ...gateLines(gate, clientIds),
    ],
    failed: total.gap !== 0 || total.atGate !== 0,
  }
}

function clientIdsOf(rows: readonly LedgerRow[]): ReadonlyMap<number, string> {
  return new Map(rows.map((row) => [row.accountId, row.clientId]))
}

function gateLines({ gaps, count, missing }: Gate, clientIds: ReadonlyMap<number, string>): string[] {
  const further = count - gaps.length
  const listed = gaps.reduce((sum, gap) => sum + gap.missing, 0)
  return [
    ...gaps.map((gap) => lostAtGate(gap, clientIds)),
    ...(further > 0
      ? [`${missing - listed} more lost at the gate, in ${further} gaps that are not listed`]
      : []),
  ]
}

function lostAtGate(
  { minute, process, accountId, confirmed, recorded, missing }: Gate['gaps'][number],
  clientIds: ReadonlyMap<number, string>,
): string {
  return `${missing} lost at the gate: ${clientIds.get(accountId) ?? '?'}, accepted at ${timeText(minute).slice(0, 16)}Z by process ${process}: ${confirmed} confirmed, ${recorded} recorded`
}

function sumUp(rows: readonly LedgerRow[], { messages }: Differences): LedgerRow {
  const sum = (pick: (row: LedgerRow) => number): number => rows.reduce((so, row) => so + pick(row), 0)
  return {
    accountId: 0,
    clientId: 'total',
    accepted: sum((row) => row.accepted),
    final: sum((row) => row.final),
    inFlight: sum((row) => row.inFlight),
    gap: messages,
    atGate: sum((row) => row.atGate),
  }
}
