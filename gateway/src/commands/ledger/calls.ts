/** `postern ledger` over the admin API. */
import type { AdminClient } from '../client/client.ts'
import type { Result } from '../result.ts'
import { acknowledgedResult, ledgerResult, type Gate } from './view.ts'

export interface LedgerOptions {
  readonly acknowledge?: true
}

export async function showLedger(admin: AdminClient, { acknowledge }: LedgerOptions): Promise<Result> {
  // Before it is acknowledged: what it prints is reported once only, and must not be lost with a comparison that takes too long.
  const { accounts: rows, gaps, differences, atGate } = await admin.call('compareLedger', {})
  const gate = toGate(atGate)
  const acknowledged =
    acknowledge === true ? await admin.call('acknowledgeLedger', { body: admin.reason }) : null
  return acknowledged === null
    ? ledgerResult(rows, gaps, gate, differences)
    : acknowledgedResult({ rows, gaps, gate, differences }, toGate(acknowledged))
}

/** Without the names of accounts, which the command reads from its rows. */
function toGate({ missing, count, gaps }: Gate): Gate {
  return {
    ...{ missing, count },
    gaps: gaps.map((gap) => ({
      ...{ minute: gap.minute, process: gap.process, accountId: gap.accountId },
      ...{ confirmed: gap.confirmed, recorded: gap.recorded, missing: gap.missing },
    })),
  }
}
