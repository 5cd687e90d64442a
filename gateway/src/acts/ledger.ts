/** Compares the counts of the ledger with the messages, account by account, for `postern ledger check` and the admin API. */
import { inTransaction, type Database } from '../platform/database.ts'
import { findGaps, type LedgerGap } from '../records/ledger/check.ts'
import { acknowledgeGateGaps, findGateGaps, type GateGaps } from '../records/ledger/gate.ts'
import { readLedger, type LedgerRow } from '../records/ledger/queries.ts'
import type { ActAudit } from './act-audit.ts'

export interface ComparedLedger {
  readonly rows: readonly LedgerRow[]
  readonly gaps: readonly LedgerGap[]
  /** Confirmed and never recorded. */
  readonly gate: GateGaps
}

export interface Differences {
  /** Days of accounts. */
  readonly count: number
  readonly messages: number
}

/** By account and day: gaps of opposite sign must not hide each other. */
export function sumGaps(gaps: readonly LedgerGap[]): Differences {
  return { count: gaps.length, messages: gaps.reduce((sum, { gap }) => sum + Math.abs(gap), 0) }
}

/** One snapshot for all: a message that closes between two statements does not count as a gap. */
export function compareLedger(database: Database): Promise<ComparedLedger> {
  return inTransaction(database, async (transaction) => {
    await transaction.query('set transaction isolation level repeatable read, read only')
    return {
      gaps: await findGaps(transaction),
      gate: await findGateGaps(transaction),
      rows: await readLedger(transaction),
    }
  })
}

/** What is missing at the gate now is no longer reported. Returns it. */
export function acknowledgeGate(audit: ActAudit): Promise<GateGaps> {
  return audit.change(async (transaction) => {
    const found = await acknowledgeGateGaps(transaction)
    return [found, { target: 'ledger', details: { gaps: found.count, messages: found.missing } }] as const
  })
}
