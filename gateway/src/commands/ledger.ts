/** `postern ledger`: the proof that nothing was lost. Exits with 1 when there is a gap. */
import { parseArgs } from 'node:util'
import { findGaps, type LedgerGap } from '../records/ledger/check.ts'
import { readLedger, type LedgerRow } from '../records/ledger/queries.ts'
import { inTransaction } from '../platform/database.ts'
import type { Command } from './command.ts'
import { print, withDatabase } from './connect.ts'

function total(rows: readonly LedgerRow[], gaps: readonly LedgerGap[]): LedgerRow {
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

export const ledger: Command = {
  name: 'ledger',
  usage: 'ledger [--json]',
  summary: 'accepted = final + in flight, per account; the gap must be 0',
  async run(args) {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
    const { rows, gaps } = await withDatabase((database) =>
      inTransaction(database, async (transaction) => {
        // One snapshot for both: a message that closes between two statements is no gap.
        await transaction.query('set transaction isolation level repeatable read, read only')
        return { gaps: await findGaps(transaction), rows: await readLedger(transaction) }
      }),
    )
    const sum = total(rows, gaps)
    if (sum.gap !== 0) process.exitCode = 1
    if (values.json) return print(JSON.stringify({ accounts: rows, total: sum, gaps }))
    print(
      `${'account'.padEnd(24)}${['accepted', 'final', 'in flight', 'gap'].map((title) => title.padStart(12)).join('')}`,
    )
    for (const row of [...rows, sum]) {
      const numbers = [row.accepted, row.final, row.inFlight, row.gap]
      print(`${row.clientId.padEnd(24)}${numbers.map((value) => String(value).padStart(12)).join('')}`)
    }
    const names = new Map(rows.map((row) => [row.accountId, row.clientId]))
    for (const { day, accountId, accepted, final, inFlight, gap } of gaps) {
      print(
        `gap of ${gap}: ${names.get(accountId) ?? '?'}, accepted on ${day}: ${accepted} booked, ${final} final, ${inFlight} in flight`,
      )
    }
  },
}
