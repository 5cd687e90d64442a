/** `postern ledger`: checks that every accepted message is final or in flight. Fails when there is a gap. */
import { inTransaction } from '../../platform/database.ts'
import { findGaps, type LedgerGap } from '../../records/ledger/find-gaps.ts'
import { readLedger, type LedgerRow } from '../../records/ledger/queries.ts'
import { withDatabase } from '../connect.ts'
import type { Result } from '../result.ts'

export async function showLedger(): Promise<Result> {
  const { rows, gaps } = await withDatabase((database) =>
    inTransaction(database, async (transaction) => {
      // One snapshot for both: a message that closes between two statements does not count as a gap.
      await transaction.query('set transaction isolation level repeatable read, read only')
      return { gaps: await findGaps(transaction), rows: await readLedger(transaction) }
    }),
  )
  return ledgerResult(rows, gaps)
}

/** Pure. */
export function ledgerResult(rows: readonly LedgerRow[], gaps: readonly LedgerGap[]): Result {
  const total = sumUp(rows, gaps)
  const clientIds = new Map(rows.map((row) => [row.accountId, row.clientId]))
  const titles = ['accepted', 'final', 'in flight', 'gap']
  return {
    json: { accounts: rows, total, gaps },
    lines: [
      `${'account'.padEnd(24)}${titles.map((title) => title.padStart(12)).join('')}`,
      ...[...rows, total].map((row) => {
        const numbers = [row.accepted, row.final, row.inFlight, row.gap]
        return `${row.clientId.padEnd(24)}${numbers.map((value) => String(value).padStart(12)).join('')}`
      }),
      ...gaps.map(
        ({ day, accountId, accepted, final, inFlight, gap }) =>
          `gap of ${gap}: ${clientIds.get(accountId) ?? '?'}, accepted on ${day}: ${accepted} counted, ${final} final, ${inFlight} in flight`,
      ),
    ],
    failed: total.gap !== 0,
  }
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
  }
}
