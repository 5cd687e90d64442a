/** Compares the ledger counts with the messages, per account. */
import { inTransaction, type Database } from '../../platform/database/database.ts'
import { findBatchGaps, type BatchGap } from '../../records/ledger/batches.ts'
import { findGaps, type LedgerGap } from '../../records/ledger/check.ts'
import { acknowledgeGateGaps, findGateGaps, type GateGaps } from '../../records/ledger/gate.ts'
import { readLedger, type LedgerRow } from '../../records/ledger/queries.ts'
import type { AuditRecorder } from '../audit-recorder.ts'

export interface ComparedLedger {
  readonly rows: readonly LedgerRow[]
  readonly gaps: readonly LedgerGap[]
  /** Messages that the broker confirmed but that were never recorded. */
  readonly gate: GateGaps
  readonly batches: readonly BatchGap[]
}

export interface Differences {
  /** Number of account days that differ. */
  readonly count: number
  readonly messages: number
}

/** Sums gaps per account and day, so that gaps of opposite sign do not cancel out. */
export function sumGaps(gaps: readonly LedgerGap[]): Differences {
  return { count: gaps.length, messages: gaps.reduce((sum, { gap }) => sum + Math.abs(gap), 0) }
}

/** Reads one snapshot, so that a message closed between two statements does not count as a gap. */
export function compareLedger(database: Database): Promise<ComparedLedger> {
  return inTransaction(database, async (transaction) => {
    await transaction.query('set transaction isolation level repeatable read, read only')
    return {
      gaps: await findGaps(transaction),
      gate: await findGateGaps(transaction),
      batches: await findBatchGaps(transaction),
      rows: await readLedger(transaction),
    }
  })
}

/** Acknowledges the currently missing messages, which are no longer reported, and returns them. */
export function acknowledgeUnrecorded(audit: AuditRecorder): Promise<GateGaps> {
  return audit.change(async (transaction) => {
    const gaps = await acknowledgeGateGaps(transaction)
    return [gaps, { target: 'ledger', details: { gaps: gaps.count, messages: gaps.missing } }] as const
  })
}
