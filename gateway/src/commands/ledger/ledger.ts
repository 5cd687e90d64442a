/** `postern ledger`: checks that every accepted message is final or in flight. Fails when there is a gap. */
import { inTransaction } from '../../platform/database.ts'
import { findGaps, type LedgerGap } from '../../records/ledger/find-gaps.ts'
import {
  acknowledgeGateGaps,
  checkedUntil,
  findGateGaps,
  noGaps,
  type GateGap,
  type GateGaps,
} from '../../records/ledger/gate-table.ts'
import { readLedger, type LedgerRow } from '../../records/ledger/queries.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'

export async function showLedger(
  invocation: Invocation,
  { acknowledge = false }: { acknowledge?: boolean },
): Promise<Result> {
  const { rows, gaps, gate, acknowledged } = await withDatabase(
    invocation,
    async (database, _config, audit) => {
      const acknowledged = await audit.change(async (transaction) => {
        if (!acknowledge) return [noGaps, null]
        await audit.requireRight('messages')
        const found = await acknowledgeGateGaps(transaction)
        return [found, { target: 'ledger', details: { gaps: found.count, messages: found.missing } }]
      })
      const read = await inTransaction(database, async (transaction) => {
        // One snapshot for both: a message that closes between two statements does not count as a gap.
        await transaction.query('set transaction isolation level repeatable read, read only')
        const checked = await transaction.query<{ until: Date | null }>(
          `select ${checkedUntil} as until from ledger_checks`,
        )
        const until = checked.rows[0]?.until ?? null
        return {
          gaps: await findGaps(transaction),
          gate: until === null ? noGaps : await findGateGaps(transaction, until),
          rows: await readLedger(transaction),
        }
      })
      return { ...read, acknowledged }
    },
  )
  const result = ledgerResult(rows, gaps, gate)
  if (!acknowledge) return result
  const clientIds = clientIdsOf(rows)
  return {
    ...result,
    json: { ...result.json, acknowledged: acknowledged.gaps, acknowledgedMessages: acknowledged.missing },
    lines: [...result.lines, ...gateLines(acknowledged, clientIds).map((line) => `acknowledged: ${line}`)],
  }
}

/** Pure. */
export function ledgerResult(
  rows: readonly LedgerRow[],
  gaps: readonly LedgerGap[],
  gate: GateGaps = noGaps,
): Result {
  const total = sumUp(rows, gaps)
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
      ...gateLines(gate, clientIds),
    ],
    failed: total.gap !== 0 || total.atGate !== 0,
  }
}

function clientIdsOf(rows: readonly LedgerRow[]): ReadonlyMap<number, string> {
  return new Map(rows.map((row) => [row.accountId, row.clientId]))
}

function gateLines({ gaps, count, missing }: GateGaps, clientIds: ReadonlyMap<number, string>): string[] {
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
  { minute, process, accountId, confirmed, recorded, missing }: GateGap,
  clientIds: ReadonlyMap<number, string>,
): string {
  return `${missing} lost at the gate: ${clientIds.get(accountId) ?? '?'}, accepted at ${minute.toISOString().slice(0, 16)}Z by process ${process}: ${confirmed} confirmed, ${recorded} recorded`
}

function sumUp(rows: readonly LedgerRow[], gaps: readonly LedgerGap[]): LedgerRow {
  const sum = (pick: (row: LedgerRow) => number): number => rows.reduce((so, row) => so + pick(row), 0)
  return {
    accountId: 0,
    clientId: 'total',
    accepted: sum((row) => row.accepted),
    final: sum((row) => row.final),
    inFlight: sum((row) => row.inFlight),
    // By account and day: gaps of opposite sign must not hide each other.
    gap: gaps.reduce((so, { gap }) => so + Math.abs(gap), 0),
    atGate: sum((row) => row.atGate),
  }
}
