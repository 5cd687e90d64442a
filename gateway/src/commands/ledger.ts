/** `postern ledger`: the proof that nothing was lost. Exits with 1 when there is a gap. */
import { parseArgs } from 'node:util'
import { readLedger, type LedgerRow } from '../ledger/queries.ts'
import type { Command } from './command.ts'
import { print, withDatabase } from './connect.ts'

function total(rows: readonly LedgerRow[]): LedgerRow {
  const sum = (pick: (row: LedgerRow) => number): number => rows.reduce((so, row) => so + pick(row), 0)
  return {
    accountId: 0,
    clientId: 'total',
    accepted: sum((row) => row.accepted),
    final: sum((row) => row.final),
    inFlight: sum((row) => row.inFlight),
    // Gaps of opposite sign must not hide each other.
    gap: sum((row) => Math.abs(row.gap)),
  }
}

export const ledger: Command = {
  name: 'ledger',
  usage: 'ledger [--json]',
  summary: 'accepted = final + in flight, per account; the gap must be 0',
  async run(args) {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
    const rows = await withDatabase((database) => readLedger(database))
    const sum = total(rows)
    if (sum.gap !== 0) process.exitCode = 1
    if (values.json) return print(JSON.stringify({ accounts: rows, total: sum }))
    print(
      `${'account'.padEnd(24)}${['accepted', 'final', 'in flight', 'gap'].map((title) => title.padStart(12)).join('')}`,
    )
    for (const row of [...rows, sum]) {
      const numbers = [row.accepted, row.final, row.inFlight, row.gap]
      print(`${row.clientId.padEnd(24)}${numbers.map((value) => String(value).padStart(12)).join('')}`)
    }
  },
}
